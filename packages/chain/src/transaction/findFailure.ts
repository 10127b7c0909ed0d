import { Async, type Address, type ErrorCode, type ServiceError, type Token } from '@agio/core'
import { hexToBigInt, numberToHex, type Hex, getAddress } from 'viem'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import { findCause } from '../errors/findCause.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { isTokenRefusal, toRevertError } from '../revert/toRevertError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { Receipt } from './readReceipt.ts'
import { parseConversionCall } from '../call/decodeConversionCall.ts'

/** Why a mined transaction reverted. */
export type Failure = { readonly code: ErrorCode; readonly message: string; readonly revert: Revert }

// The transaction may call any contract, and the response to a replay contains all its revert data. Memory of w words
// costs 3w + w²/512 gas, so a replay that pays 21,000 gas for the transaction returns at most 503,000 bytes. They are
// 1.0 MB of hexadecimal digits. A node that repeats them as the text of an `Error(string)` adds up to 6 characters for
// each byte, which makes 4.0 MB: less than the 4.2 MB of a WebSocket message.
//
// The most expensive conversions that we measured, over two pools of the DFX family, use 450,000 gas, and 50,000 more
// with a permit.
const maxReplayGas = 550_000n

// All unfinished responses of a node may have 16.8 MB together.
const maxReplaysInFlight = 3

/**
 * Finds the reason of a failed transaction by replaying it on the state at the end of its block, with the gas limit of
 * the transaction, but at most 550,000 gas. If a lack of gas may be the reason, a second replay has 550,000 gas.
 *
 * @returns undefined if the replays do not show the reason, or if no node returns the transaction. The reason of a
 * transaction that used more than 550,000 gas is only known if it is an error of a known contract
 */
export async function findFailure(rpc: Rpc, options: findFailure.Options): Promise<Failure | undefined> {
  const { hash, receipt, snapshots } = options
  const { blockHash, gasUsed } = receipt
  const transaction = await rpc.client.request({ method: 'eth_getTransactionByHash', params: [hash] }).catch(() => null)
  if (!transaction) return undefined
  const { from, to, input: data, value } = transaction
  const gas = hexToBigInt(transaction.gas)
  const replay = (limit: bigint) => replayInSlot(rpc, { call: { from, to, data, value }, gas: limit, blockHash })
  const revert = await findRevert(replay, { gas, gasUsed })
  if (revert === undefined) return undefined
  if (revert === 'out-of-gas') return toGasLimitFailure(gas)
  return toFailure(revert, await readConversion(revert, { from, to, data }, snapshots))
}

export declare namespace findFailure {
  type Options = {
    readonly hash: Hex
    readonly receipt: Pick<Receipt, 'blockHash' | 'gasUsed'>
    readonly snapshots: KnownPools
  }
}

/** The tokens of the deployment, its stale prices, and what its tokens refuse. They explain a revert. */
export type KnownPools = {
  readonly tokens: ReadonlyMap<Address, Token>
  readonly findStalePrice: NonNullable<toRevertError.Conversion['findStalePrice']>
  /** Asks the tokens of a conversion why they refuse it now; undefined if they do not say. */
  readonly readRefusal: (conversion: toRevertError.Conversion) => Promise<ServiceError | undefined>
}

/**
 * Finds the revert of a transaction. A contract may replace the error of an inner call that runs out of gas by any data, so
 * only the errors of known contracts are conclusive without a replay with more gas.
 *
 * @param gas the gas limit of the transaction; `gasUsed` is what it used
 * @returns `out-of-gas` if the transaction only reverts because of its gas limit; undefined if the reason is unknown
 */
async function findRevert(
  replay: (gas: bigint) => Promise<Outcome>,
  { gas, gasUsed }: { readonly gas: bigint; readonly gasUsed: bigint },
): Promise<Revert | 'out-of-gas' | undefined> {
  const mined = await replay(gas < maxReplayGas ? gas : maxReplayGas)
  // A node may ignore the gas limit of a replay. What used up its gas ran out of it: each nested call keeps a 64th.
  if ((mined === 'success' || mined === 'out-of-gas') && gasUsed * 16n >= gas * 15n) return 'out-of-gas'
  if (typeof mined === 'string' && mined !== 'out-of-gas') return undefined
  if (typeof mined === 'object' && !anonymousReverts.has(mined.name)) return mined
  if (gas > maxReplayGas) return typeof mined === 'object' && gasUsed <= maxReplayGas ? mined : undefined
  const repeated = gas < maxReplayGas ? await replay(maxReplayGas) : mined
  const outcome = repeated === 'unknown' ? mined : repeated
  return typeof outcome === 'object' ? outcome : 'out-of-gas'
}

// The names that `decodeRevert` gives to reverts without an error of a known contract.
const anonymousReverts: ReadonlySet<string> = new Set(['Revert', 'Error', 'Panic', 'Unknown'])

/** The outcome of a replay. It is unknown if no node could answer. */
type Outcome = Revert | 'success' | 'out-of-gas' | 'unknown'

type Replay = {
  readonly call: { readonly from: Hex; readonly to: Hex | null; readonly data: Hex; readonly value: Hex }
  readonly gas: bigint
  readonly blockHash: Hex
}

// The slots of each chain, by its nodes, which all clients share.
const runReplay = Async.createSlots<Rpc['nodes']>()

/** Replays a transaction once fewer than three replays of its chain are in flight. */
async function replayInSlot(rpc: Rpc, { call, gas, blockHash }: Replay): Promise<Outcome> {
  // A request goes on after its client has disconnected, and so keeps its slot.
  const { client } = rpc.forClient({ signal: new AbortController().signal })
  const params = [{ ...call, gas: numberToHex(gas) }, { blockHash }] as const
  const request = () => client.request({ method: 'eth_call', params }).then(() => 'success' as const, toOutcome)
  return await runReplay(rpc.nodes, request, { limit: maxReplaysInFlight }).catch(() => 'unknown' as const)
}

/** Returns the outcome of a failed replay. @throws the error if it does not show an outcome */
function toOutcome(error: unknown): Outcome {
  const data = findRevertData(error)
  if (data !== undefined && data !== '0x') return decodeRevert(data)
  if (findCause(error) === 'gas') return 'out-of-gas'
  if (data === undefined) throw error
  return decodeRevert(data)
}

/** Returns the reason of a revert, with the amounts of the conversion that reverted. */
export function toFailure(revert: Revert, conversion: toRevertError.Conversion): Failure {
  const { code, message } = toRevertError(revert, conversion)
  return { code, message, revert }
}

function toGasLimitFailure(limit: bigint): Failure {
  const message = `Cannot run the transaction: its gas limit of ${limit} is too low`
  return { code: 'svc/reverted', message, revert: { name: 'OutOfGas', args: [limit.toString()] } }
}

/** Returns what explains a revert: the conversion, and why a token refuses it if the revert says that a token does. */
export async function readConversion(
  revert: Revert,
  transaction: readConversion.Transaction,
  snapshots: KnownPools,
): Promise<toRevertError.Conversion> {
  const conversion = findConversion(transaction, snapshots)
  return isTokenRefusal(revert) ? { ...conversion, refusal: await snapshots.readRefusal(conversion) } : conversion
}

export declare namespace readConversion {
  type Transaction = { readonly from: Hex; readonly to?: Hex | null | undefined; readonly data: Hex }
}

/**
 * Returns the sender and receiver of a transaction, and the tokens and amounts of a conversion by a router or a pool.
 * They explain the revert of the transaction.
 */
function findConversion(
  { from, to, data }: readConversion.Transaction,
  { tokens, findStalePrice }: KnownPools,
): toRevertError.Conversion {
  const parties = { from: getAddress(from), to: to ? getAddress(to) : undefined }
  const call = parseConversionCall(data)
  if (call === undefined) return parties
  const { tokenIn, tokenOut, ...terms } = call
  return { ...terms, ...parties, tokenIn: tokens.get(tokenIn), tokenOut: tokens.get(tokenOut), findStalePrice }
}
