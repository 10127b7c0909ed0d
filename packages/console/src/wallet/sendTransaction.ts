import { AgioError, isAgioError, type Eip1193Provider } from '@agio/sdk'
import { createClient, custom, numberToHex, type Hex } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import type { ConnectedWallet } from './useWallet.ts'

/** A transaction from the service. */
export type BuiltTransaction = {
  readonly chainId: number
  readonly to: Hex
  readonly data: Hex
  /** Gas limit. */
  readonly gas: bigint
}

/**
 * Asks the wallet to switch to the network of a transaction and to send it, and waits until the wallet sees it mined.
 *
 * @param onSent called with the hash once the user has confirmed
 *
 * @throws `wallet/rejected`, `wallet/wrong-chain`, `wallet/failed`, and `svc/reverted` for a reverted transaction
 */
export async function sendTransaction(
  wallet: ConnectedWallet,
  { chainId, gas, ...call }: BuiltTransaction,
  onSent: (hash: Hex) => void,
): Promise<void> {
  if (wallet.chainId !== chainId) await switchChain(wallet, wallet.chainId, chainId)
  const fields = { ...call, from: wallet.address, value: '0x0', gas: numberToHex(gas), chainId: numberToHex(chainId) }
  const hash = (await ask(wallet, 'eth_sendTransaction', fields)) as Hex
  onSent(hash)
  const client = createClient({ transport: custom(wallet as never), pollingInterval: 1000 })
  const { status } = await waitForTransactionReceipt(client, { hash, timeout: 0 })
  if (status === 'reverted') throw reverted(hash)
}

/**
 * Asks the wallet to switch to another network.
 *
 * @throws `wallet/rejected`, and `wallet/wrong-chain` if the wallet does not know the network
 */
async function switchChain(provider: Eip1193Provider, from: number, to: number): Promise<void> {
  try {
    await ask(provider, 'wallet_switchEthereumChain', { chainId: numberToHex(to) })
  } catch (cause) {
    if (isAgioError(cause) && cause.code === 'wallet/rejected') throw cause
    const details = { expected: to, actual: from }
    const fields = { details, retryable: true, action: 'retry', cause } as const
    throw new AgioError('wallet/wrong-chain', `The wallet did not switch to chain ${to}`, fields)
  }
}

async function ask(provider: Eip1193Provider, method: string, parameter: object): Promise<unknown> {
  try {
    return await provider.request({ method, params: [parameter] })
  } catch (cause) {
    throw toWalletError(method, cause)
  }
}

const rejected = 4001

function toWalletError(method: string, cause: unknown): AgioError {
  const walletCode = (cause as { readonly code?: unknown } | null)?.code
  const fields = { retryable: true, action: 'retry', cause } as const
  if (walletCode === rejected) {
    return new AgioError('wallet/rejected', `The user rejected ${method}`, { ...fields, details: { method } })
  }
  const message = `The wallet failed at ${method}: ${cause instanceof Error ? cause.message : String(cause)}`
  const details = { method, walletCode: typeof walletCode === 'number' ? walletCode : undefined }
  return new AgioError('wallet/failed', message, { ...fields, details })
}

function reverted(hash: Hex): AgioError {
  const details = { revert: { name: 'unknown', args: [] } }
  return new AgioError('svc/reverted', `The transaction ${hash} reverted`, {
    details,
    retryable: false,
    action: 'fix_input',
  })
}
