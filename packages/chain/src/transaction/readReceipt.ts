import type { Address } from '@agio/core'
import { getAddress, hexToBigInt, hexToNumber, type Hex, type RpcLog, type RpcTransactionReceipt } from 'viem'
import type { Rpc } from '../selection/createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'

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
  /** Its position among all events of the block. */
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
