import { concat, encodeAbiParameters, keccak256, numberToHex, type Hex } from 'viem'
import type { SentTransaction } from '../transaction/readStatus.ts'
import { decodeExecutedCall, type decodeConversionCall } from '../call/decodeConversionCall.ts'

/** What a transaction does, in enough detail to compare it with another transaction of the same nonce. */
export type CallDescription = {
  /** The hash of its receiver, its value and its calldata. */
  readonly callHash: Hex
  /** The hash of the tokens, the fixed amount and the recipient of a conversion; undefined for any other call. */
  readonly intentHash?: Hex | undefined
  /** Unix seconds: the deadline in the calldata of a conversion. */
  readonly deadlineSeconds?: bigint | undefined
}

/** The router and the pools, whose calls are conversions. */
type Contracts = decodeConversionCall.Contracts

/** Returns what a transaction does. */
export function describeCall({ from, to, valueWei, data }: SentTransaction, contracts: Contracts): CallDescription {
  const callHash = keccak256(concat([to ?? '0x', numberToHex(valueWei, { size: 32 }), data]))
  // The contracts do not accept native currency. A call that sends some reverts.
  const call = valueWei === 0n ? decodeExecutedCall({ to, data }, contracts) : undefined
  if (!call) return { callHash }
  const { mode, tokenIn, tokenOut, recipient = from, deadlineSeconds } = call
  const fixedRaw = call.mode === 'exact-in' ? call.amountInRaw : call.amountOutRaw
  const terms = [mode === 'exact-in', tokenIn, tokenOut, fixedRaw, recipient] as const
  return { callHash, intentHash: keccak256(encodeAbiParameters(intentParameters, terms)), deadlineSeconds }
}

const intentParameters = [
  { type: 'bool' },
  { type: 'address' },
  { type: 'address' },
  { type: 'uint256' },
  { type: 'address' },
] as const

/**
 * The kind of transaction that replaced another: the same call, as a `speed-up` sends it; a conversion of the
 * `same-intent`, which converts the same amount of the same tokens for the same recipient on other terms; a `cancel`,
 * which is an empty transfer to oneself; or an `other` transaction.
 */
export type ReplacementKind = 'speed-up' | 'same-intent' | 'cancel' | 'other'

/**
 * Compares a transaction with the transaction that it replaced. Returns undefined if the call of the replaced
 * transaction is unknown, and the new transaction is not a cancellation.
 */
export function compareCalls(
  original: CallDescription | undefined,
  winner: SentTransaction,
  contracts: Contracts,
): ReplacementKind | undefined {
  const { callHash, intentHash } = describeCall(winner, contracts)
  if (original?.callHash === callHash) return 'speed-up'
  if (winner.to === winner.from && winner.valueWei === 0n && winner.data === '0x') return 'cancel'
  if (!original) return undefined
  return intentHash !== undefined && original.intentHash === intentHash ? 'same-intent' : 'other'
}
