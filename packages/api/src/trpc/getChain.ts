import type { Chain } from '@agio/chain'
import type { ChainId } from '@agio/core'
import { unsupportedChain } from '../errors/unsupportedChain.ts'
import type { Context } from './Context.ts'

/** Returns a chain that the service serves. @throws `svc/unsupported-chain` if it has no deployment file for that network */
export function getChain({ chains }: Pick<Context, 'chains'>, chainId: ChainId): Chain {
  const chain = chains[chainId]
  if (chain) return chain
  throw unsupportedChain({ field: 'chainId', value: chainId }, chains)
}
