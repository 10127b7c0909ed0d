import { Amount, ServiceError, type Address, type Token } from '@agio/core'
import { BaseError } from 'viem'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { rethrowUpstream, toUpstreamError } from '../errors/toUpstreamError.ts'
import type { SignedTransaction } from './decodeSigned.ts'
import { findConversion } from './findConversion.ts'

/**
 * Sends a signed transaction. After an error the transaction's hash is looked up first: "already known" is a success, and so
 * is an error for a transaction that is mined.
 *
 * @param tokens the deployment's tokens, for the amounts of a revert
 * @throws `svc/nonce-too-low`, `svc/underpriced`, `svc/insufficient-gas`, `svc/invalid-transaction`, `svc/upstream-*`, and
 * what `toRevertError` returns if the node rejects the transaction for its revert
 */
export async function sendSigned(
  rpc: Rpc,
  signed: SignedTransaction,
  tokens: ReadonlyMap<Address, Token>,
): Promise<void> {
  await rpc.send(signed).catch(async (error: unknown) => {
    throw findRejectedRevert(signed, tokens, error) ?? (await toSendError(rpc, signed, error))
  })
}

/** The error of the revert that a node rejects the transaction for; undefined if it has another reason, or none. */
function findRejectedRevert(
  signed: SignedTransaction,
  tokens: ReadonlyMap<Address, Token>,
  error: unknown,
): ServiceError | undefined {
  // Nodes put other data than reverts into `data` as well, such as the hash.
  const data = error instanceof BaseError && /revert/i.test(error.details) ? findRevertData(error) : undefined
  return data && toRevertError(decodeRevert(data), findConversion(signed, tokens))
}

// Nodes have no common codes for these: the messages are geth's, Nitro's, Nethermind's and Hardhat's.
const nonceTooLow = /nonce too low|nonce is too low|OldNonce/i
const underpriced = /underpriced|max fee per gas less than block base fee|maxFeePerGas.*too low|FeeTooLow/i
const insufficientFunds = /insufficient funds|doesn't have enough funds|InsufficientFunds/i

// geth's and Hardhat's, EIP-1474's, a revert's, Nethermind's.
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
  const text = error instanceof BaseError ? `${error.details} ${error.message}` : ''
  const cause = { cause: error }
  if (nonceTooLow.test(text)) {
    return new ServiceError('svc/nonce-too-low', 'Cannot broadcast the transaction: its nonce is used', cause)
  }
  if (underpriced.test(text)) {
    return new ServiceError('svc/underpriced', 'Cannot broadcast the transaction: its gas price is too low', cause)
  }
  if (insufficientFunds.test(text)) {
    const currentWei = await rpc.client.getBalance({ address: from }).catch(rethrowUpstream)
    const details = { required: Amount.format(requiredWei, 18), current: Amount.format(currentWei, 18) }
    const message = `Cannot broadcast the transaction: value and gas may cost ${details.required}, the wallet holds ${details.current} (native currency)`
    return new ServiceError('svc/insufficient-gas', message, { ...details, cause: error })
  }
  const reason = rejectionReasons.find(({ pattern }) => pattern.test(text))?.reason
  if (reason === undefined && !isRejection(error)) return upstream
  const message = `Cannot broadcast the transaction: ${reason ?? 'the node rejects it'}`
  return new ServiceError('svc/invalid-transaction', message, { field: 'signedTransaction', cause: error })
}

/** Whether the code of a node's error means a rejected transaction, and not a fault of the node. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const rejection = error.walk((cause) => rejectionCodes.has((cause as { code?: number }).code ?? 0))
  return rejection !== null
}
