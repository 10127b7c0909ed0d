import type { Hex } from 'viem'
import { findRevertData } from '../revert/findRevertData.ts'
import type { Rpc } from './createRpc.ts'
import { toUpstreamError } from './toUpstreamError.ts'

// As long as viem waits before it asks again.
const retryAfterMs = 150
// After this long there is no time left for a second time over all URLs.
const retryWithinMs = 1000

/**
 * Makes an `eth_call` at a block's hash. What no node can answer is asked once more: behind a balancer, the one that was
 * asked may not have the block yet, and another, or itself a moment later, has.
 *
 * @throws what viem throws
 */
export async function callAtBlock({ reads }: Pick<Rpc, 'reads'>, params: readonly unknown[]): Promise<Hex> {
  const startedAtMs = performance.now()
  const call = () => reads.request({ method: 'eth_call', params: params as [{ to: Hex; data: Hex }] })
  try {
    return await call()
  } catch (error) {
    const isLate = performance.now() - startedAtMs > retryWithinMs
    if (isLate || isRevert(error) || toUpstreamError(error).code !== 'svc/upstream-error') throw error
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
    return await call()
  }
}

function isRevert(error: unknown): boolean {
  return findRevertData(error) !== undefined
}
