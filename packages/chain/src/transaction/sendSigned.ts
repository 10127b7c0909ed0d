import { Amount, Async, Errors, type ServiceError } from '@agio/core'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { readL1Fee } from '../gas/l1DataFee.ts'
import { findCause, type Cause } from '../errors/findCause.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Head } from '../head/Head.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { rethrowUpstream, toUpstreamError } from '../errors/toUpstreamError.ts'
import type { SignedTransaction } from './decodeSigned.ts'
import { readConversion, type KnownPools } from './findFailure.ts'
import { readIsUsed } from './readIsUsed.ts'
import { readReceipt } from './readReceipt.ts'

/**
 * Sends a signed transaction. After an error, the transaction's hash is looked up first. So the error "already known" is
 * a success, and an error for a mined transaction is also a success.
 *
 * @param context the chain's time and the deployment's pools, for the details of a revert
 * @throws `svc/nonce-too-low`, `svc/underpriced`, `svc/insufficient-gas`, `svc/invalid-transaction`, `svc/upstream-*`,
 * and the errors of `toRevertError` if the node rejects the transaction for its revert
 */
export async function sendSigned(rpc: Rpc, signed: SignedTransaction, context: sendSigned.Context): Promise<void> {
  await rpc.send(signed).catch(async (error: unknown) => {
    throw (await findRejectedRevert(signed, context, error)) ?? (await toSendError(rpc, signed, error))
  })
}

export declare namespace sendSigned {
  type Context = {
    readonly snapshots: KnownPools
    /** Time of the newest block, in seconds since 1970; undefined before the first block is known. */
    readonly blockSeconds: bigint | undefined
  }
}

// The caller has already waited for the transaction, so the resend adds at most this time.
const maxResendMs = 2000

/**
 * Sends a transaction that is still pending once more, to another node, because the node that took it may have dropped it.
 * The answer of the other node decides nothing, except that the nonce may be used at the newest block of the service. An
 * answer after two seconds is ignored.
 *
 * @param head the newest block of the service
 * @throws `svc/nonce-too-low` if the other node rejects the nonce, and another transaction has used it
 */
export async function resendPending(rpc: Rpc, signed: SignedTransaction, head: Head | undefined): Promise<void> {
  await Async.waitAtMost(maxResendMs, resend(rpc, signed, head))
}

async function resend(rpc: Rpc, signed: SignedTransaction, head: Head | undefined): Promise<void> {
  const error = await rpc.resend(signed).catch((thrown: unknown) => thrown)
  if (!head || findCause(error) !== 'nonce-used') return
  const isUsed = await readIsUsed(rpc, signed, head.number).catch(() => undefined)
  if (isUsed !== true) return
  // The transaction itself may have used the nonce, and a node that is behind may not have had it before.
  const receipt = await readReceipt(rpc, signed.hash).catch(() => 'unknown')
  if (receipt === undefined) throw Errors.nonceTooLow({ cause: error })
}

/**
 * Returns the error for the revert that made a node reject the transaction; undefined if it was rejected without a
 * revert.
 */
async function findRejectedRevert(
  signed: SignedTransaction,
  { snapshots, blockSeconds }: sendSigned.Context,
  error: unknown,
): Promise<ServiceError | undefined> {
  // Nodes also use `data` for other values than reverts, such as the hash.
  const data = findCause(error) === 'reverted' ? findRevertData(error) : undefined
  if (data === undefined) return undefined
  const revert = decodeRevert(data)
  return toRevertError(revert, { ...(await readConversion(revert, signed, snapshots)), blockSeconds })
}

/** The reasons of rejections that are errors of the transaction itself. */
const rejectionReasons: Partial<Record<Cause, string>> = {
  'nonce-gap': 'its nonce is not the next one',
  'intrinsic-gas': 'its gas limit is below its intrinsic gas',
  'block-gas-limit': 'its gas limit is above the block gas limit',
}

const delegated = {
  action: 'broadcast the transaction',
  reason:
    'its sender is a delegated account (EIP-7702), from which nodes take one pending transaction at a time. Send it again after the pending one is mined',
}

async function toSendError(rpc: Rpc, signed: SignedTransaction, error: unknown): Promise<ServiceError> {
  const cause = findCause(error)
  if (cause === undefined || cause === 'state' || cause === 'rate' || cause === 'gas') return toUpstreamError(error)
  if (cause === 'nonce-used') return Errors.nonceTooLow({ cause: error })
  if (cause === 'delegated') return Errors.upstreamUnavailable({ ...delegated, cause: error })
  if (cause === 'underpriced') return Errors.underpriced({ cause: error })
  if (cause === 'funds') {
    const [currentWei, { l1FeeWei = 0n }] = await Promise.all([
      rpc.client.getBalance({ address: signed.from }),
      readL1Fee(rpc, signed.serialized),
    ]).catch(rethrowUpstream)
    return Errors.insufficientGas({
      action: 'broadcast the transaction',
      costs: 'value and gas',
      required: Amount.format(signed.requiredWei + l1FeeWei, 18),
      current: Amount.format(currentWei, 18),
      cause: error,
    })
  }
  return Errors.invalidTransaction({ reason: rejectionReasons[cause] ?? 'the node rejects it', cause: error })
}
