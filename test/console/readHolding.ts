import { Network, type Address } from '@agio/core'
import { inject } from 'vitest'
import { readBalance } from '../harness/readBalance.ts'
import type { ConsoleStack } from './ConsoleStack.ts'

/** Reads on chain what an account holds of a token, in raw units. */
export async function readHolding(
  symbol: string,
  { address }: { readonly address: Address },
  { stack = inject('stack'), chainId = Network.defaultChainId }: readHolding.Options = {},
): Promise<bigint> {
  const chain = stack.chains[chainId]
  return await readBalance(chain, chain.tokens[symbol] as Address, address)
}

export declare namespace readHolding {
  type Options = { readonly stack?: ConsoleStack; readonly chainId?: Network.ChainId }
}
