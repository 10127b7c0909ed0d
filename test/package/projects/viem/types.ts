// Shows that the types of viem and of the SDK fit each other without a cast.
import { createAgio, type ConversionReceipt, type Step, type Wallet } from '@agio/sdk'
import { announceWallet, createTestWallet, testAccounts } from '@agio/sdk/testing'
import { createPublicClient, createWalletClient, custom, http, type EIP1193Provider, type WalletClient } from 'viem'
import { baseSepolia } from 'viem/chains'

declare const client: WalletClient
declare const injected: EIP1193Provider

const rpcUrls = { 84532: 'http://127.0.0.1:8545' }
const tested = createTestWallet({ privateKey: testAccounts[1].privateKey, chainId: baseSepolia.id, rpcUrls })
export const wallets: readonly Wallet[] = [client, injected, tested]
export const clients = [tested, injected].map((provider) => createWalletClient({ transport: custom(provider) }))
export const stop = announceWallet(tested)

const agio = createAgio({ url: '/agio' })
const chain = createPublicClient({ chain: baseSepolia, transport: http() })

/** Shows a conversion step by step, and reads its transaction by viem. */
export async function convert(wallet: Wallet, stored: Step | undefined): Promise<ConversionReceipt> {
  const quote = await agio.quote({ chainId: 84532, tokenIn: '0x', tokenOut: '0x', amountOut: '100' })
  const conversion = stored ? agio.resume(stored, { wallet }) : agio.convert({ quote, wallet })
  for await (const step of conversion) {
    if (step.transactionHash) await chain.getTransaction({ hash: step.transactionHash })
    // @ts-expect-error There is no such kind.
    if (step.kind === 'approval') break
    // @ts-expect-error There is no such status.
    if (step.status === 'confirmed') break
  }
  // @ts-expect-error A quote has either amount, not both.
  await agio.quote({ chainId: 84532, tokenIn: '0x', tokenOut: '0x', amountIn: '100', amountOut: '100' })
  // @ts-expect-error There is no such option.
  agio.convert({ quote, wallet, onQuoteExpired: 'retry' })
  const built = await agio.api.transaction.buildConvert.query({ quote: quote.quote, userAddress: '0x' })
  await client.sendTransaction({
    account: null,
    chain: baseSepolia,
    to: built.transaction.to,
    data: built.transaction.data,
  })
  return await conversion
}
