import type { Address, Token } from '@agio/core'
import type { BlockAt } from '../reader/createReaderCalls.ts'
import type { FactReader } from '../reader/createFactReader.ts'
import { findTokens } from './readTokens.ts'

/**
 * Creates the tokens of the pools, whose metadata is read once. A token on which the nodes disagree is not known. A token
 * that only one node of several has returned is known. Once a second node is healthy, the next load starts another read in
 * the background.
 */
export function createTokens(facts: FactReader) {
  const known = new Map<Address, Token>()
  const [unconfirmed, disputed] = [new Set<Address>(), new Set<Address>()]
  let confirming: Promise<void> | undefined

  async function read(addresses: readonly Address[], at: BlockAt): Promise<void> {
    // A node whose newest block is older may not have a new token yet.
    const isVote = (token: Token | undefined) => at !== 'latest' || token !== undefined
    const found = await facts.read((source) => findTokens(source, addresses, at), { isVote })
    for (const [index, address] of addresses.entries()) {
      const fact = found[index]
      const token = fact?.state === 'disputed' ? undefined : fact?.value
      for (const forget of [known, unconfirmed, disputed]) forget.delete(address)
      if (token) known.set(address, token)
      if (token && fact?.state === 'unconfirmed') unconfirmed.add(address)
      if (fact?.state === 'disputed') disputed.add(address)
    }
  }
  return {
    /** The tokens read so far, by address. */
    known,
    /** The tokens about which the nodes disagreed at their last read. */
    disputed,
    /**
     * Reads the metadata of tokens that are not known. A contract without metadata remains unknown.
     *
     * @throws the error of the nodes if none answers
     */
    async load(addresses: readonly Address[], at: BlockAt): Promise<void> {
      const unknown = [...new Set(addresses)].filter((address) => !known.has(address))
      if (unknown.length > 0) await read(unknown, at)
      else if (unconfirmed.size > 0 && facts.canConfirm())
        confirming ??= read([...unconfirmed], at)
          .catch(() => {})
          .finally(() => (confirming = undefined))
    },
  }
}

/** The tokens of the pools. */
export type Tokens = ReturnType<typeof createTokens>
