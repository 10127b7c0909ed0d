import { Errors, type Address } from '@agio/core'
import type { Hex } from 'viem'
import type { Deployment } from '../deployment/Deployment.ts'
import type { Head } from '../head/Head.ts'
import type { SignedTransaction } from '../transaction/decodeSigned.ts'
import { describeCall, type CallDescription } from './describeCall.ts'

/** The facts that a caller keeps between two calls. Nodes forget a transaction once another takes its nonce. */
export type TransactionFacts = {
  readonly from: Address
  readonly nonce: number
  /** What the transaction does; undefined if only sender and nonce are known. */
  readonly call?: CallDescription | undefined
  /** The block that last contained the transaction. */
  readonly included?: BlockReference | undefined
  /** A block after which the transaction's nonce was not used yet. */
  readonly unusedAt?: bigint | undefined
  /** A block after which the nonce was used, from a search that was incomplete. */
  readonly usedBy?: bigint | undefined
  /** Unix seconds: the time of the block since which no node has the transaction, while it is pending. */
  readonly unseenSinceSeconds?: bigint | undefined
}

/** A block by its number and hash. */
export type BlockReference = Pick<Head, 'number' | 'hash'>

/** Returns the facts about a signed transaction. @throws `svc/invalid-request` if it has another hash */
export function toSignedFacts(
  signed: SignedTransaction,
  { hash, deployment }: { readonly hash: Hex; readonly deployment: Deployment },
): TransactionFacts {
  const { from, nonce } = signed
  if (signed.hash === hash) return { from, nonce, call: describeCall(signed, deployment) }
  const reason = `the signed transaction has the hash ${signed.hash}`
  throw Errors.invalidRequest({ field: 'signedTransaction', action: `use the bytes of transaction ${hash}`, reason })
}
