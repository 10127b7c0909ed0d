import type { Pool, ServiceError } from '@agio/core'
import { encodeFunctionData, maxUint256, type Hex } from 'viem'
import { poolAbi } from '../abi/index.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { toDepositError } from './toDepositError.ts'

// An account that holds no tokens. Its deposit always reverts: by a limit of the pool or, after all limits, by the
// transfer.
const depositor = '0x00000000000000000000000000000000a610a610'

const limitCodes: ReadonlySet<string> = new Set(['svc/pool-frozen', 'svc/above-max-origin', 'svc/amount-too-small'])

/**
 * Finds the limit by which a pool refuses a deposit although its view returns terms, such as a cap that no view
 * returns. The deposit is simulated at a block.
 *
 * Returns undefined if no limit refuses the deposit, or if only a depositor with tokens reaches the limit.
 */
export async function findDepositRefusal(
  { client }: Pick<Rpc, 'client'>,
  { pool, valueRaw }: findDepositRefusal.Request,
  blockHash: Hex,
): Promise<ServiceError | undefined> {
  const args = [valueRaw, 0n, 0n, maxUint256, maxUint256, maxUint256] as const
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args })
  const params = [{ from: depositor, to: pool.address, data }, { blockHash }] as const
  try {
    await client.request({ method: 'eth_call', params: params as never })
    return undefined
  } catch (error) {
    const revertData = findRevertData(error)
    // If the node cannot simulate the deposit, the view decides.
    if (revertData === undefined) return undefined
    const refusal = toDepositError(decodeRevert(revertData), valueRaw)
    return limitCodes.has(refusal.code) ? refusal : undefined
  }
}

export declare namespace findDepositRefusal {
  type Request = {
    readonly pool: Pool.Pool
    /** Dollars, 18 decimals. */
    readonly valueRaw: bigint
  }
}
