import type { Chain } from '@agio/chain'
import { Errors, type Network } from '@agio/core'
import type { Context } from './Context.ts'

/**
 * Returns a chain that the service serves. Its waits and reads end once the client of the context disconnects.
 *
 * @throws `svc/unsupported-chain` if it has no deployment file for that network
 */
export function getChain({ chains, client }: Pick<Context, 'chains' | 'client'>, chainId: Network.ChainId): Chain {
  const chain = chains[chainId]
  if (chain) return client ? chain.forClient(client) : chain
  throw Errors.unsupportedChain({ field: 'chainId', value: chainId, served: Object.keys(chains) })
}
