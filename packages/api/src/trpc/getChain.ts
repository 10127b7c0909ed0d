import type { Chain } from '@agio/chain'
import { Errors, type ChainId } from '@agio/core'
import type { Context } from './Context.ts'

/** Returns a chain that the service serves. @throws `svc/unsupported-chain` if it has no deployment file for that network */
export function getChain({ chains }: Pick<Context, 'chains'>, chainId: ChainId): Chain {
  const chain = chains[chainId]
  if (chain) return chain
  throw Errors.unsupportedChain({ field: 'chainId', value: chainId, served: Object.keys(chains) })
}
