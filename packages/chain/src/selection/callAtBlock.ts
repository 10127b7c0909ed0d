import { BaseError, RpcRequestError, type Hex } from 'viem'
import { findRevertData } from '../errors/findRevertData.ts'
import type { Rpc } from './createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'

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
    if (isLate || !isRefused(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
    return await call()
  }
}

/** Whether a node has answered that it cannot tell, in contrast to a revert and to a node that is not well. */
function isRefused(error: unknown): boolean {
  if (findRevertData(error) !== undefined || toUpstreamError(error).code !== 'svc/upstream-error') return false
  return error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError) !== null
}
