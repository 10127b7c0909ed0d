import type { Address } from '@agio/core'
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { readerAbi, readerCode } from '../abi/index.ts'
import { callAtBlock } from '../selection/callAtBlock.ts'
import type { Rpc } from '../selection/createRpc.ts'

// The address that gets the reader's code for the duration of a call. Nothing is deployed there.
const placedAt = '0xa610a610a610a610a610a610a610a610a610a610'

/**
 * Makes any number of contract reads in one `eth_call`, at one block.
 *
 * The code of the Reader contract is placed by state override; for nodes that reject overrides, `deployed` is the address of
 * a Reader on chain.
 */
export function createReader(rpc: Rpc, deployed?: Address): Reader {
  const to = deployed ?? placedAt
  async function call(data: Hex, at: BlockAt): Promise<Hex> {
    // Some nodes reject a third parameter of null.
    const override = deployed ? [] : [{ [to]: { code: readerCode } }]
    if (at !== 'latest') return await callAtBlock(rpc, [{ to, data }, { blockHash: at }, ...override])
    const params = [{ to, data }, at, ...override] as [{ to: Address; data: Hex }, 'latest']
    return await rpc.client.request({ method: 'eth_call', params })
  }
  return {
    address: to,
    async aggregate(calls, at = 'latest') {
      const data = encodeFunctionData({ abi: readerAbi, functionName: 'aggregate', args: [calls] })
      const result = await call(data, at)
      const [timestampSeconds, results] = decodeFunctionResult({
        abi: readerAbi,
        functionName: 'aggregate',
        data: result,
      })
      return { timestampSeconds, results }
    },
    async poolStates(pools, at) {
      const data = encodeFunctionData({ abi: readerAbi, functionName: 'poolStates', args: [pools] })
      const result = await call(data, at)
      const [timestampSeconds, states] = decodeFunctionResult({
        abi: readerAbi,
        functionName: 'poolStates',
        data: result,
      })
      return { timestampSeconds, states }
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
export type RawPoolState = ReturnType<typeof decodeFunctionResult<typeof readerAbi, 'poolStates'>>[1][number]
