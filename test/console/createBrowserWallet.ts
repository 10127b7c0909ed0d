import { Network } from '@agio/core'
import { inject } from 'vitest'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'

/** Creates the wallet of a new account, which holds 1,000 of each token on the default network, or other amounts. */
export async function createBrowserWallet(options: Partial<createBrowserWallet.Options> = {}): Promise<TestWallet> {
  const { chains = inject('stack').chains, ...rest } = options
  const holding = { tUSD: '1000', tAUD: '1000', tEUR: '1000' }
  return await createFundedWallet(chains, { chainId: Network.defaultChainId, holding, ...rest })
}

export declare namespace createBrowserWallet {
  type Options = createFundedWallet.Options & { readonly chains: Parameters<typeof createFundedWallet>[0] }
}
