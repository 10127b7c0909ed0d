import type { Address } from '@agio/core'
import { encodeFunctionData, type decodeFunctionResult, type Hex } from 'viem'
import { readerAbi } from '../abi/index.ts'
import type { ProvenRead } from '../proof/ProvenRead.ts'
import { readAtBlock } from '../selection/readAtBlock.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { ReaderCalls } from './createReaderCalls.ts'

/** Makes any number of contract reads in one `eth_call`, at one block, by the code of the Reader contract. */
export function createReader({ read }: Pick<Rpc, 'read'>, calls: ReaderCalls): Reader {
  const readAt = <Value>(call: ProvenRead<Value>, at: BlockAt) =>
    at === 'latest' ? read(call) : readAtBlock(() => read(call))
  return {
    address: calls.address,
    async aggregate(reads, at = 'latest') {
      const data = encodeFunctionData({ abi: readerAbi, functionName: 'aggregate', args: [reads] })
      const { timestampSeconds, items } = await readAt(calls.create('aggregate', reads.length, { data, at }), at)
      return { timestampSeconds, results: items }
    },
    async poolStates(pools, at) {
      const data = encodeFunctionData({ abi: readerAbi, functionName: 'poolStates', args: [pools] })
      const { timestampSeconds, items } = await readAt(calls.create('poolStates', pools.length, { data, at }), at)
      return { timestampSeconds, states: items }
    },
  }
}

export type Reader = {
  /** The address of the reader, for reads of its own functions inside `aggregate`. */
  readonly address: Address
  /** The result of each call, successful or not, and the block's time. */
  aggregate(calls: readonly Call[], at?: BlockAt): Promise<{ timestampSeconds: bigint; results: readonly Result[] }>
  /** The reserves, parameters and prices of each pool, and the block's time. */
  poolStates(
    pools: readonly Address[],
    at: BlockAt,
  ): Promise<{ timestampSeconds: bigint; states: readonly RawPoolState[] }>
}

/** The hash of a block, or the newest one. */
export type BlockAt = Hex | 'latest'

export type Call = { readonly target: Address; readonly data: Hex }

export type Result = { readonly success: boolean; readonly data: Hex }

/** The Reader contract's `PoolState`, as viem decodes it. */
export type RawPoolState = ReturnType<typeof decodeFunctionResult<typeof readerAbi, 'poolStates'>>[2][number]
