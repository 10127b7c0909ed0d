import type { Address } from '@agio/core'
import type { Hex } from 'viem'

/** A wallet of a user: it holds a key, signs what an application passes to it, and does not know the service. */
export type Wallet = {
  readonly address: Address
  /** Signs typed data as it came in JSON, as for `eth_signTypedData_v4`. */
  signTypedData(typedData: TypedData): Promise<Hex>
  /** Signs a transaction with the next nonce, by its own fees if it has none. */
  sign(transaction: Sendable): Promise<Hex>
  /** Signs and sends a transaction, and waits until it is mined. */
  send(transaction: Sendable): Promise<Mined>
  /** Delegates the account to a contract by EIP-7702, in a separate transaction. */
  delegate(contract: Address): Promise<Mined>
  /** Counts the transactions that it has sent. */
  countSent(): Promise<number>
}

/** The typed data of EIP-712 in JSON: amounts are decimal strings. */
export type TypedData = {
  readonly domain: Readonly<Record<string, string | number>>
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** A transaction in either form of the service: with decimal quantities, or as `eth_sendTransaction` takes it. */
export type Sendable = {
  readonly to: Address
  readonly data: Hex
  readonly value?: string
  readonly gasLimit?: string
  readonly gas?: string
  readonly maxFeePerGas?: string
  readonly maxPriorityFeePerGas?: string
}

/** The outcome of a mined transaction. */
export type Mined = {
  readonly hash: Hex
  readonly status: 'success' | 'reverted'
  readonly gasUsed: bigint
}

/** The numbers of a transaction, with fees that a local chain accepts where it has none. */
export function toNumbers({ value = '0', gasLimit, gas = gasLimit, ...fees }: Sendable) {
  return {
    value: BigInt(value),
    gas: BigInt(gas ?? 1_000_000),
    maxFeePerGas: BigInt(fees.maxFeePerGas ?? 3_000_000_000),
    maxPriorityFeePerGas: BigInt(fees.maxPriorityFeePerGas ?? 1_000_000),
  }
}
