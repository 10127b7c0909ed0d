import { BaseError, RpcRequestError } from 'viem'
import { findRevertData } from '../errors/findRevertData.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'

const retryDelayMs = 150
// After this time, a second attempt over all nodes would exceed the time limit.
const retryWithinMs = 1000

/**
 * Makes a read at a block's hash, and retries it once if a node returns an error. A node behind a load balancer may not
 * have the block yet. Another node may have it, or the same node may have it a moment later.
 *
 * @throws the error of the read
 */
export async function readAtBlock<Value>(read: () => Promise<Value>): Promise<Value> {
  const startedAtMs = performance.now()
  try {
    return await read()
  } catch (error) {
    const isLate = performance.now() - startedAtMs > retryWithinMs
    if (isLate || !isNodeError(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
    return await read()
  }
}

/** Returns whether a healthy node returned an error that is not a revert. */
function isNodeError(error: unknown): boolean {
  if (findRevertData(error) !== undefined || toUpstreamError(error).code !== 'svc/upstream-error') return false
  return error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError) !== null
}
