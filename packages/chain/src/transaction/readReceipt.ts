import { type Address, Client } from '@agio/core'
import {
  getAddress,
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
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  /** The position of the event among all events of the block. */
  readonly logIndex: number
}

/** Reads a transaction's receipt; undefined while it is not mined. @throws `svc/upstream-*` */
export async function readReceipt({ client }: Rpc, hash: Hex): Promise<Receipt | undefined> {
  try {
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    return receipt ? toReceipt(receipt) : undefined
  } catch (error) {
    throw toUpstreamError(error)
  }
}

// The OP stack reports the fee for the data of a transaction, which is not part of its gas.
type RollupReceipt = RpcTransactionReceipt & { readonly l1Fee?: Hex | null }

/** Converts the receipt of a node, whose form was checked. */
export function parseReceipt(receipt: unknown): Receipt {
  return toReceipt(receipt as RollupReceipt)
}

function toReceipt(receipt: RollupReceipt): Receipt {
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
  return { address: getAddress(address), topics, data, logIndex: hexToNumber(logIndex ?? '0x') }
}

type MinedLog = Pick<RpcLog, 'address' | 'topics' | 'data' | 'logIndex'>

function toOptional(quantity: Hex | null | undefined): bigint | undefined {
  return quantity === null || quantity === undefined ? undefined : hexToBigInt(quantity)
}

/**
 * Waits until a transaction is mined. Reads its receipt now, and then once at each new block.
 *
 * @returns undefined if the transaction is still pending after the time-out, or when the service stops
 * @throws `svc/invalid-request` once the client has disconnected. The transaction stays sent
 */
export async function waitForReceipt(
  rpc: Rpc,
  hash: Hex,
  { heads, timeoutMs, client }: waitForReceipt.Options,
): Promise<Receipt | undefined> {
  const deadlineMs = performance.now() + timeoutMs
  // The transaction was sent before, so an error of a node does not decide its outcome.
  const read = () => readReceipt(rpc, hash).catch(() => undefined)
  // A block may arrive during the read of the receipt, so the wait starts from the head before the read.
  let seenHash = heads.state().head?.hash
  let receipt = await read()
  while (!receipt && performance.now() < deadlineMs) {
    Client.assertConnected(client)
    if (!(await heads.next(deadlineMs - performance.now(), seenHash, client?.signal))) break
    seenHash = heads.state().head?.hash
    receipt = await read()
  }
  // The caller's next request must see this block, not the previous block.
  if (receipt && (heads.state().head?.number ?? 0n) < receipt.blockNumber) {
    const refreshed = heads.refresh().catch(() => undefined)
    await (client ? Client.untilAborted(refreshed, client) : refreshed)
  }
  return receipt
}

export declare namespace waitForReceipt {
  type Options = { readonly heads: Heads; readonly timeoutMs: number; readonly client: Client.Client | undefined }
}

/** Decodes the logs of one event. Skips all other logs, also logs of that event that lack its fields. */
export function parseLogs<const abi extends Abi, name extends ContractEventName<abi>, log extends Loggable>(
  { abi, eventName }: { readonly abi: abi; readonly eventName: name },
  logs: readonly log[],
): readonly ParsedLog<abi, name, log>[] {
  const parsed = parseEventLogs<Abi, true, string>({ abi, eventName, logs: [...logs] as unknown as Log[] })
  return parsed as unknown as readonly ParsedLog<abi, name, log>[]
}

type Loggable = Pick<TransactionLog, 'address' | 'topics' | 'data'>

type ParsedLog<abi extends Abi, name extends ContractEventName<abi>, log> = log &
  Pick<ParseEventLogsReturnType<abi, name, true>[number], 'args'>
