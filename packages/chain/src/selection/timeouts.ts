/** The time limit of a request over all nodes and attempts. */
export const requestTimeoutMs = 10_000

const maxAttemptTimeoutMs = 4000

/**
 * Returns the time limit of one attempt at one node, so that an attempt at every node fits into the limit of the
 * request.
 */
export function attemptTimeoutMs(nodes: number): number {
  return Math.min(maxAttemptTimeoutMs, requestTimeoutMs / nodes)
}
