import { Network } from '@agio/core'
import {
  createWalletClient,
  defineChain,
  http,
  publicActions,
  type Chain,
  type Client,
  type HttpTransport,
  type PublicActions,
  type WalletActions,
  type WalletRpcSchema,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { LocalChain } from '../chain/LocalChain.ts'

/** Creates a viem wallet client of a new account on a local chain. It also has the methods of a public client. */
export function createLocalWallet({ chainId, rpcUrl }: Pick<LocalChain, 'chainId' | 'rpcUrl'>): LocalWallet {
  const { name, nativeCurrency } = Network.get(chainId)
  return createWalletClient({
    account: privateKeyToAccount(generatePrivateKey()),
    chain: defineChain({ id: chainId, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }),
    transport: http(rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions)
}

/** A viem wallet client of a local chain, which signs with its own key. */
export type LocalWallet = Client<
  HttpTransport,
  Chain,
  PrivateKeyAccount,
  WalletRpcSchema,
  PublicActions<HttpTransport, Chain, PrivateKeyAccount> & WalletActions<Chain, PrivateKeyAccount>
>
