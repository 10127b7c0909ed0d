import { askValid } from '../transport/askValid.ts'
import type { ChainCheck } from './createChainCheck.ts'
import type { Body, Link } from '../transport/Link.ts'

/**
 * What a node of our chain answers: asked at once, and believed as soon as it is known to be one, so that the first
 * question for its chain costs no time.
 *
 * @throws what the check throws, else what `askValid` throws
 */
export async function askConfirmed(link: Link, { chain, body }: askConfirmed.Question): Promise<unknown> {
  const asking = askValid(link, body)
  // What another chain says is of no interest.
  asking.catch(() => {})
  await chain.confirm(link)
  return await asking
}

export declare namespace askConfirmed {
  type Question = { readonly chain: Pick<ChainCheck, 'confirm'>; readonly body: Body }
}
