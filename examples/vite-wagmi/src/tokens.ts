import type { NamedToken } from '@agio/sdk'
import { agio, chainId } from './agio.ts'

/** Lists the tokens of the page's network. */
export async function listTokens(signal?: AbortSignal): Promise<readonly NamedToken[]> {
  const { chains } = await agio.api.chains.list.query(undefined, { signal })
  return chains.find((chain) => chain.chainId === chainId)?.tokens ?? []
}
