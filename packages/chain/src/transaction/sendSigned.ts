import { Amount, Async, Errors, type Address, type ServiceError, type Token } from '@agio/core'
import { BaseError } from 'viem'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Head } from '../head/Head.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { isPoolFull } from '../selection/createTransactionSender.ts'
import { rethrowUpstream, toUpstreamError } from '../errors/toUpstreamError.ts'
import type { SignedTransaction } from './decodeSigned.ts'
import { findConversion } from './findFailure.ts'
import { readIsUsed } from './readIsUsed.ts'
import { readReceipt } from './readReceipt.ts'

/**
 * Sends a signed transaction. After an error, the transaction's hash is looked up first. So the error "already known" is
 * a success, and an error for a mined transaction is also a success.
 *
 * @param context the chain's time and the deployment's tokens, for the details of a revert
 * @throws `svc/nonce-too-low`, `svc/underpriced`, `svc/insufficient-gas`, `svc/invalid-transaction`, `svc/upstream-*`,
 * and the errors of `toRevertError` if the node rejects the transaction for its revert
 */
export async function sendSigned(rpc: Rpc, signed: SignedTransaction, context: sendSigned.Context): Promise<void> {
  await rpc.send(signed).catch(async (error: unknown) => {
    throw findRejectedRevert(signed, context, error) ?? (await toSendError(rpc, signed, error))
  })
}

export declare namespace sendSigned {
  type Context = {
    readonly tokens: ReadonlyMap<Address, Token>
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
  if (!head || !nonceTooLow.test(toText(error))) return
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
function findRejectedRevert(
  signed: SignedTransaction,
  { tokens, blockSeconds }: sendSigned.Context,
  error: unknown,
): ServiceError | undefined {
  // Nodes also use `data` for other values than reverts, such as the hash.
  const data = error instanceof BaseError && /revert/i.test(error.details) ? findRevertData(error) : undefined
  return data && toRevertError(decodeRevert(data), { ...findConversion(signed, tokens), blockSeconds })
}

// Nodes have no common codes for these errors. The messages come from geth, Nitro, Nethermind and Hardhat.
const nonceTooLow = /nonce too low|nonce is too low|OldNonce/i
const underpriced = /underpriced|max fee per gas less than block base fee|maxFeePerGas.*too low|FeeTooLow/i
const insufficientFunds = /insufficient funds|doesn't have enough funds|InsufficientFunds/i

// The codes of geth and Hardhat, of EIP-1474, of a revert, and of Nethermind.
const rejectionCodes = new Set([-32000, -32003, 3, -32010])

const rejectionReasons = [
  { pattern: /nonce too high|nonce gap/i, reason: 'its nonce is not the next one' },
  { pattern: /intrinsic gas/i, reason: 'its gas limit is below its intrinsic gas' },
  {
    pattern: /exceeds.*gas (limit|cap)|gas limit.*(exceeds|too high)/i,
    reason: 'its gas limit is above the block gas limit',
  },
] as const

async function toSendError(rpc: Rpc, { from, requiredWei }: SignedTransaction, error: unknown): Promise<ServiceError> {
  const upstream = toUpstreamError(error)
  if (upstream.code !== 'svc/upstream-error') return upstream
  const text = toText(error)
  if (nonceTooLow.test(text)) {
    return Errors.nonceTooLow({ cause: error })
  }
  if (underpriced.test(text)) {
    return Errors.underpriced({ cause: error })
  }
  if (insufficientFunds.test(text)) {
    const currentWei = await rpc.client.getBalance({ address: from }).catch(rethrowUpstream)
    return Errors.insufficientGas({
      action: 'broadcast the transaction',
      costs: 'value and gas',
      required: Amount.format(requiredWei, 18),
      current: Amount.format(currentWei, 18),
      cause: error,
    })
  }
  const reason = rejectionReasons.find(({ pattern }) => pattern.test(text))?.reason
  if (reason === undefined && (isPoolFull(error) || !isRejection(error))) return upstream
  return Errors.invalidTransaction({ reason: reason ?? 'the node rejects it', cause: error })
}

function toText(error: unknown): string {
  return error instanceof BaseError ? `${error.details} ${error.message}` : ''
}

/** Returns whether the code of a node's error means a rejected transaction, and not a fault of the node. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const rejection = error.walk((cause) => rejectionCodes.has((cause as { code?: number }).code ?? 0))
  return rejection !== null
}
