import type { Address } from '@agio/core'
import { getAddress, hexToBigInt, type Hex } from 'viem'
import type { Rpc } from '../selection/createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'

/** The outcome of a mined transaction. */
export type Receipt = {
  readonly status: 'success' | 'failed'
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly gasUsed: bigint
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }[]
}

/** Reads a transaction's receipt; undefined while it is not mined. @throws `svc/upstream-*` */
export async function readReceipt({ client }: Rpc, hash: Hex): Promise<Receipt | undefined> {
  try {
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (!receipt) return undefined
    return {
      status: receipt.status === '0x1' ? 'success' : 'failed',
      blockNumber: hexToBigInt(receipt.blockNumber),
      blockHash: receipt.blockHash,
      gasUsed: hexToBigInt(receipt.gasUsed),
      logs: receipt.logs.map(({ address, topics, data }) => ({ address: getAddress(address), topics, data })),
    }
  } catch (error) {
    throw toUpstreamError(error)
  }
}
