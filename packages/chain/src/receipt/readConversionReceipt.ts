import { Errors, type Address, type Conversion, type Token } from '@agio/core'
import type { Hex } from 'viem'
import { decodeExecutedCall, type DecodedConversionCall } from '../call/decodeConversionCall.ts'
import type { Deployment } from '../deployment/Deployment.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { Snapshots } from '../snapshot/createSnapshots.ts'
import { readTokens } from '../token/readTokens.ts'
import { findFailure, toFailure, type Failure, type KnownPools } from '../transaction/findFailure.ts'
import type { Receipt } from '../transaction/readReceipt.ts'
import { type SentTransaction, type TransactionStatus, waitForStatus } from '../transaction/readStatus.ts'
import { findCalls } from './findCalls.ts'
import { listFailedOperations } from './listFailedOperations.ts'
import { readBlock, readConversions, type MinedConversion } from './readConversions.ts'

/** The conversions of a transaction, once it is mined. */
export type ConversionReceipt = { readonly status: 'pending' } | MinedReceipt

/** The conversions of a mined transaction. */
export type MinedReceipt = {
  readonly status: 'mined'
  readonly receipt: Receipt
  readonly block: Head
  readonly confirmations: bigint
  /** The executed conversions in the order of their events, then the failed conversions. */
  readonly outcomes: readonly [ConversionOutcome, ...ConversionOutcome[]]
  /**
   * The tokens of the executed conversions, and those tokens of the failed conversions that belong to the deployment,
   * by address.
   */
  readonly tokens: ReadonlyMap<Address, Token>
}

/** The outcome of a mined conversion. */
export type ConversionOutcome = ExecutedConversion | FailedConversion

/** A conversion that was executed. */
export type ExecutedConversion = Omit<MinedConversion, 'modes'> & {
  readonly status: 'success'
  /** The mode of the execution; undefined if neither the calldata nor the amounts show it. */
  readonly mode: Conversion.Mode | undefined
}

/** A conversion that reverted, either separately or with its whole transaction. */
export type FailedConversion = {
  readonly status: 'failed'
  readonly call: DecodedConversionCall
  /** The account that would have paid; undefined if another contract is called, and its calldata does not show it. */
  readonly payer: Address | undefined
  /** The reason of the failure; undefined if a replay does not show it. */
  readonly failure: Failure | undefined
}

type Dependencies = {
  readonly rpc: Rpc
  readonly reader: Reader
  readonly snapshots: Pick<Snapshots, 'getAt'> & KnownPools
  readonly deployment: Deployment
}

/**
 * Reads the conversions of a transaction. Waits up to a second for a transaction that the nodes do not know yet.
 *
 * @throws `svc/transaction-not-found`; `svc/not-a-conversion` if the transaction is mined, and neither made nor tried a
 * conversion of the deployment
 */
export async function readConversionReceipt(dependencies: Dependencies, hash: Hex): Promise<ConversionReceipt> {
  const found = await waitForStatus(dependencies.rpc, hash)
  if (found.status === 'pending') return found
  const { receipt, confirmations } = found
  const { executed, block } = await readExecuted(dependencies, found)
  const failed = await explainFailed(dependencies, found, hash)
  const [first, ...others] = [...executed, ...failed]
  if (!first) throw Errors.notAConversion({ hash })
  return {
    status: 'mined',
    receipt,
    block: block ?? (await readBlock(dependencies.rpc, receipt.blockHash)),
    confirmations,
    outcomes: [first, ...others],
    tokens: await readTokensOf(dependencies, executed),
  }
}

type Mined = Exclude<TransactionStatus, { readonly status: 'pending' }>

async function readExecuted(
  dependencies: Dependencies,
  { receipt, transaction }: Mined,
): Promise<{ readonly executed: readonly ExecutedConversion[]; readonly block: Head | undefined }> {
  const { conversions, block } = await readConversions(dependencies, receipt)
  if (conversions.length === 0) return { executed: [], block }
  const calls = transaction ? listCalls(transaction, dependencies.deployment) : []
  const executed = conversions.map(({ modes, ...conversion }) => ({
    ...conversion,
    status: 'success' as const,
    mode: findMode(conversion, { modes, calls }),
  }))
  return { executed, block }
}

/** Lists the conversion that a transaction calls, or the conversions in its calldata for another contract. */
function listCalls(transaction: SentTransaction, deployment: Deployment): readonly DecodedConversionCall[] {
  const direct = decodeExecutedCall(transaction, deployment)
  return direct ? [direct] : findCalls(transaction.data, deployment)
}

type Evidence = Pick<MinedConversion, 'modes'> & { readonly calls: readonly DecodedConversionCall[] }

/**
 * Returns the mode that the calldata shows, unless the amounts contradict it. Otherwise returns the mode that the
 * amounts show.
 */
function findMode(conversion: Omit<MinedConversion, 'modes'>, { modes, calls }: Evidence): Conversion.Mode | undefined {
  const called = new Set(calls.filter((call) => isCallOf(call, conversion)).map(({ mode }) => mode))
  const possible = [...called].filter((mode) => modes.length === 0 || modes.includes(mode))
  const [mode, other] = possible.length > 0 ? possible : modes
  return other ? undefined : mode
}

function isCallOf(call: DecodedConversionCall, conversion: Omit<MinedConversion, 'modes'>): boolean {
  if (call.tokenIn !== conversion.tokenIn || call.tokenOut !== conversion.tokenOut) return false
  return call.mode === 'exact-in'
    ? call.amountInRaw === conversion.amountInRaw
    : call.amountOutRaw === conversion.amountOutRaw
}

async function explainFailed(
  { rpc, snapshots, deployment }: Dependencies,
  { receipt, transaction }: Mined,
  hash: Hex,
): Promise<readonly FailedConversion[]> {
  if (!transaction) {
    throw Errors.upstreamError({ action: `read transaction ${hash}`, reason: 'the node does not have it' })
  }
  if (receipt.status === 'success') return explainOperations(receipt, transaction, { deployment, snapshots })
  const calls = listCalls(transaction, deployment)
  if (calls.length === 0) return []
  const { from, to } = transaction
  const failure = await findFailure(rpc, { hash, receipt, snapshots }).catch(rethrowUpstream)
  return calls.map((call) => {
    if (call.to === to) return { status: 'failed', call, payer: from, failure }
    // The code of a wallet that calls itself is the code of its delegate (EIP-7702).
    const payer = from === to ? from : undefined
    // If there are several calls, it is unknown which call reverted.
    const callFailure =
      failure && calls.length === 1 ? explain(failure.revert, { sender: payer, call, snapshots }) : failure
    return { status: 'failed', call, payer, failure: callFailure }
  })
}

type FailureContext = { readonly deployment: Deployment; readonly snapshots: KnownPools }

/** Lists the failed conversions of smart accounts whose operations were mined in a bundle. */
function explainOperations(
  { logs }: Receipt,
  transaction: SentTransaction,
  { deployment, snapshots }: FailureContext,
): readonly FailedConversion[] {
  return listFailedOperations(logs, transaction).flatMap(({ sender, data, revertData }) =>
    findCalls(data, deployment).map((call) => {
      const revert = revertData === undefined ? undefined : decodeRevert(revertData)
      const failure = revert && explain(revert, { sender, call, snapshots })
      return { status: 'failed' as const, call, payer: sender, failure }
    }),
  )
}

type FailedCall = Pick<FailureContext, 'snapshots'> & {
  readonly call: DecodedConversionCall
  readonly sender?: Address | undefined
}

function explain(revert: Revert, { sender, call, snapshots: { tokens, findStalePrice } }: FailedCall): Failure {
  const { tokenIn, tokenOut, ...terms } = call
  const pair = { tokenIn: tokens.get(tokenIn), tokenOut: tokens.get(tokenOut) }
  return toFailure(revert, { ...terms, ...pair, from: sender, findStalePrice })
}

/**
 * Returns the tokens of the snapshots, and reads the missing tokens of executed conversions. A token is missing if its
 * pool is unreadable now.
 */
async function readTokensOf(
  { reader, snapshots }: Dependencies,
  executed: readonly ExecutedConversion[],
): Promise<ReadonlyMap<Address, Token>> {
  const needed = new Set(executed.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]))
  const unknown = [...needed].filter((token) => !snapshots.tokens.has(token))
  if (unknown.length === 0) return snapshots.tokens
  const read = await readTokens(reader, unknown, 'latest').catch(rethrowUpstream)
  return new Map([...snapshots.tokens, ...read.map((token) => [token.address, token] as const)])
}
