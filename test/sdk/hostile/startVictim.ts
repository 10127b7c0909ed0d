import { createWalletClient, http, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  createAgio,
  type Agio,
  type AgioOptions,
  type QuoteRequest,
  type ViemWalletClient,
} from '../../../packages/sdk/src/index.ts'
import { fund } from '../../harness/createHolder.ts'
import { createTamperingFetch, type Changes } from './createTamperingFetch.ts'
import { chain, chainId, chains, client, service } from '../sharedService.ts'
import { pinContracts } from '../../harness/pinContracts.ts'

export { chain, chainId, chains, client, service }
export const attacker = '0x0000000000000000000000000000000000000bad'

/** A client of a service that changes its answers. Default: the service of all tests. */
export function createVictim(changes: Changes, options: Omit<AgioOptions, 'fetch'> = service): Agio {
  // The contracts have the same addresses on all local chains.
  return createAgio({ contracts: pinContracts(chains), ...options, fetch: createTamperingFetch(changes) })
}

/** A request of a conversion of 10 tAUD, which has permits, or of 10 tUSD, which has none. */
export function toRequest(from: 'tAUD' | 'tUSD' = 'tAUD'): QuoteRequest & { readonly amountIn: string } {
  const to = from === 'tAUD' ? 'tUSD' : 'tEUR'
  return { chainId, tokenIn: chain.tokens[from], tokenOut: chain.tokens[to], amountIn: '10' }
}

/** A viem client with a new local account, which signs without a prompt. It holds 100 of a token. */
export async function createLocalWallet(symbol: 'tAUD' | 'tUSD' = 'tAUD', on = chain): Promise<LocalWallet> {
  const account = privateKeyToAccount(generatePrivateKey())
  await fund(on, account.address, { [symbol]: '100' })
  return createWalletClient({ account, transport: http(on.rpcUrl) })
}

type LocalWallet = ViemWalletClient & { readonly account: { readonly address: Hex } }
