import { type Address, Client, Errors } from '@agio/core'
import {
  encodeEventTopics,
  hexToBigInt,
  hexToNumber,
  type Hex,
  type RpcLog,
  type RpcTransactionReceipt,
  parseEventLogs,
  type Abi,
  type ContractEventName,
  type Log,
  type ParseEventLogsReturnType,
} from 'viem'
import type { Rpc } from '../selection/createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import type { Heads } from '../head/createHeads.ts'

/** The outcome of a mined transaction. */
export type Receipt = {
  readonly status: 'success' | 'failed'
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly gasUsed: bigint
  /** Wei per gas; undefined if the node does not report it. */
  readonly effectiveGasPrice: bigint | undefined
  /** Wei paid for the gas, and on a rollup for its data; undefined if the node does not report the price. */
  readonly feeWei: bigint | undefined
  readonly logs: readonly TransactionLog[]
}

/** An event of a mined transaction. */
export type TransactionLog = {
  /** The contract, in whichever case the node writes its address. */
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  /** The position of the event among all events of the block. */
  readonly logIndex: number
}

/** Reads a transaction's receipt; undefined while it is not mined. @throws `svc/upstream-*` */
export async function readReceipt({ client }: Pick<Rpc, 'client'>, hash: Hex): Promise<Receipt | undefined> {
  try {
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    return receipt ? parseReceipt(receipt) : undefined
  } catch (error) {
    throw toUpstreamError(error)
  }
}

// The OP stack reports the fee for the data of a transaction, which is not part of its gas.
type RollupReceipt = RpcTransactionReceipt & { readonly l1Fee?: Hex | null }

/** Converts the receipt of a node, whose form was checked. */
export function parseReceipt(checked: unknown): Receipt {
  const receipt = checked as RollupReceipt
  const gasUsed = hexToBigInt(receipt.gasUsed)
  const effectiveGasPrice = toOptional(receipt.effectiveGasPrice)
  return {
    status: receipt.status === '0x1' ? 'success' : 'failed',
    blockNumber: hexToBigInt(receipt.blockNumber),
    blockHash: receipt.blockHash,
    gasUsed,
    effectiveGasPrice,
    feeWei:
      effectiveGasPrice === undefined ? undefined : gasUsed * effectiveGasPrice + (toOptional(receipt.l1Fee) ?? 0n),
    logs: receipt.logs.map(toTransactionLog),
  }
}

/** Converts a log of a mined block. */
export function toTransactionLog({ address, topics, data, logIndex }: MinedLog): TransactionLog {
  return { address, topics, data, logIndex: hexToNumber(logIndex ?? '0x') }
}

type MinedLog = Pick<RpcLog, 'address' | 'topics' | 'data' | 'logIndex'>

function toOptional(quantity: Hex | null | undefined): bigint | undefined {
  return quantity === null || quantity === undefined ? undefined : hexToBigInt(quantity)
}

// A broadcast declares 40 requests to the nodes. Besides these reads it needs at most eight: two nodes to send the transaction to,
// a look-up of its hash, and either the newest block and three requests to explain a failure, or five requests to send the
// pending transaction once more, to look up its hash at two nodes, and to read its nonce and its receipt.
const maxReads = 32

// Most transactions are mined within a few blocks, so these reads after the first one need no time between them.
const earlyReads = 8

/**
 * Waits until a transaction is mined. Reads its receipt now, and then at new blocks, at most 32 times.
 *
 * @returns undefined if the transaction is still pending after the time-out, or when the service stops
 * @throws `svc/invalid-request` once the client has disconnected. The transaction stays sent
 */
export async function waitForReceipt(
  rpc: Rpc,
  hash: Hex,
  options: waitForReceipt.Options,
): Promise<Receipt | undefined> {
  const { heads, client } = options
  const receipt = await waitAtBlocks(() => readReceipt(rpc, hash), options)
  // The caller's next request must see this block, not the previous block.
  if (receipt && (heads.state().head?.number ?? 0n) < receipt.blockNumber) {
    const refreshed = heads.refresh().catch(() => undefined)
    await (client ? Client.untilAborted(refreshed, client) : refreshed)
  }
  return receipt
}

/**
 * Reads now, and then at new blocks, at most 32 times, until the result is not undefined. An error counts as undefined. Throws
 * `svc/invalid-request` once the client has disconnected.
 */
export async function waitAtBlocks<Result>(
  readOnce: () => Promise<Result | undefined>,
  { heads, timeoutMs, client }: waitForReceipt.Options,
): Promise<Result | undefined> {
  const startedAtMs = performance.now()
  const deadlineMs = startedAtMs + timeoutMs
  // The last read is at the deadline.
  const spacingMs = Math.ceil(timeoutMs / (maxReads - 1 - earlyReads))
  // A block may arrive during the read, so the wait starts from the head before the read.
  let seenHash: Hex | undefined
  let reads = 0
  async function read(): Promise<Result | undefined> {
    seenHash = heads.state().head?.hash
    reads += 1
    // The transaction was sent before, so an error of a node does not decide its outcome.
    return await readOnce().catch(() => undefined)
  }
  async function next(untilMs: number, seen: Hex | undefined): Promise<boolean> {
    Client.assertConnected(client)
    return await heads.next(untilMs - performance.now(), seen, client?.signal)
  }
  /** Waits for a block that the last read has not seen, and until the next read is due. */
  async function waitForBlock(): Promise<boolean> {
    const dueAtMs = Math.min(startedAtMs + (reads - earlyReads) * spacingMs, deadlineMs)
    while (performance.now() < dueAtMs) if (!(await next(dueAtMs, heads.state().head?.hash))) return false
    return await next(deadlineMs, seenHash)
  }
  let result = await read()
  while (result === undefined && performance.now() < deadlineMs && (await waitForBlock())) result = await read()
  return result
}

export declare namespace waitForReceipt {
  type Options = { readonly heads: Heads; readonly timeoutMs: number; readonly client: Client.Client | undefined }
}

// A transaction with conversions has far fewer events of one kind, and decoding takes 50 µs for each.
const maxEvents = 2000

/**
 * Decodes the logs of one event. Skips all other logs, also logs of that event that lack its fields.
 *
 * @throws `svc/upstream-error` for more than 2,000 logs of that event, since a part of them would show a wrong outcome
 */
export function parseLogs<const abi extends Abi, name extends ContractEventName<abi>, log extends Loggable>(
  { abi, eventName }: { readonly abi: abi; readonly eventName: name },
  logs: readonly log[],
): readonly ParsedLog<abi, name, log>[] {
  const event: Abi = abi.filter((item) => item.type === 'event' && item.name === eventName)
  const [selector] = encodeEventTopics({ abi: event })
  const emitted = logs.filter(({ topics }) => topics[0] === selector)
  if (emitted.length > maxEvents) {
    throw Errors.upstreamError({ action: `read the ${eventName} events`, reason: `there are more than ${maxEvents}` })
  }
  const parsed = parseEventLogs<Abi, true, string>({ abi: event, eventName, logs: emitted as unknown as Log[] })
  return parsed as unknown as readonly ParsedLog<abi, name, log>[]
}

type Loggable = Pick<TransactionLog, 'address' | 'topics' | 'data'>

type ParsedLog<abi extends Abi, name extends ContractEventName<abi>, log> = log &
  Pick<ParseEventLogsReturnType<abi, name, true>[number], 'args'>
