import type { TypedData, WalletTransaction } from '../api/schemas.ts'
import type { Hex, ViemWalletClient, Wallet } from './Wallet.ts'

/**
 * Returns the signer of a viem client with a local account, such as one from a private key. Returns undefined for a
 * wallet that is asked by `request`.
 *
 * @throws `TypeError` for such a client that is not a `WalletClient`
 */
export function findOwnSigner(wallet: Wallet): OwnSigner | undefined {
  const { account, sendTransaction, signTypedData } = wallet as ViemWalletClient
  if (account === undefined || account.type === 'json-rpc') return undefined
  if (sendTransaction === undefined || signTypedData === undefined) {
    throw new TypeError(
      'Cannot use the client: it has a local account but no wallet functions. Create it with `createWalletClient` of viem',
    )
  }
  return {
    sendTransaction: async (transaction) =>
      await (sendTransaction as Send).call(wallet, { account, chain: null, ...toViemTransaction(transaction) }),
    signTypedData: async (typedData) => await (signTypedData as Send).call(wallet, { account, ...typedData }),
  }
}

/** A signer with its own key. It does not prompt. */
export type OwnSigner = {
  sendTransaction(transaction: OwnTransaction): Promise<Hex>
  signTypedData(typedData: TypedData): Promise<Hex>
}

/** A transaction, with a nonce if it replaces another transaction. */
type OwnTransaction = WalletTransaction & { readonly nonce?: Hex }

type Send = (this: Wallet, args: object) => Promise<Hex>

/** Returns a transaction for viem. The chain id is signed, so that nodes of other networks reject it. */
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
