import type { TypedData, WalletTransaction } from '../api/schemas.ts'
import type { Hex, ViemWalletClient, Wallet } from './Wallet.ts'

/**
 * Returns what signs for a viem client whose account signs itself, as one made of a private key does; undefined for a wallet that
 * is asked by `request`.
 *
 * @throws `TypeError` for such a client without the functions of a `WalletClient`
 */
export function findOwnSigner(wallet: Wallet): OwnSigner | undefined {
  const { account, sendTransaction, signTypedData } = wallet as ViemWalletClient
  if (account === undefined || account.type === 'json-rpc') return undefined
  if (sendTransaction === undefined || signTypedData === undefined) {
    throw new TypeError(
      'Cannot use the client: its account signs itself. Make the client by `createWalletClient` of viem',
    )
  }
  return {
    sendTransaction: async (transaction) =>
      await (sendTransaction as Send).call(wallet, { account, chain: null, ...toViemTransaction(transaction) }),
    signTypedData: async (typedData) => await (signTypedData as Send).call(wallet, { account, ...typedData }),
  }
}

/** Signs with a key of its own, without a prompt. */
export type OwnSigner = {
  sendTransaction(transaction: OwnTransaction): Promise<Hex>
  signTypedData(typedData: TypedData): Promise<Hex>
}

/** A transaction, with its nonce if it replaces another one. */
type OwnTransaction = WalletTransaction & { readonly nonce?: Hex }

type Send = (this: Wallet, args: object) => Promise<Hex>

/** The chain id is signed: a node of another network refuses the transaction. */
function toViemTransaction(transaction: OwnTransaction) {
  const { to, data, chainId, value, gas, maxFeePerGas, maxPriorityFeePerGas, nonce } = transaction
  return {
    type: 'eip1559',
    to,
    data,
    chainId: Number(chainId),
    value: BigInt(value),
    gas: BigInt(gas),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
    ...(nonce !== undefined && { nonce: Number(nonce) }),
  }
}
