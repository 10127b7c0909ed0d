import { findAgioError } from './findAgioError.ts'

/**
 * Returns the delay in milliseconds before the page automatically repeats a failed request. It is at least the delay
 * that the service demands, and at least 20 seconds, because each request counts against the key. It is at least 5
 * seconds if the service cannot be reached, and for an error of a wallet or of a node.
 *
 * @returns undefined without an error, which TanStack Query calls `null`, and for an error that only the user can resolve
 */
export function toRetryDelayMs(error: unknown): number | undefined {
  if (error === undefined || error === null) return undefined
  const agioError = findAgioError(error)
  if (!agioError) return unreachableMs
  if (!agioError.retryable) return undefined
  const { code, retryAfterSeconds = 0 } = agioError
  const leastMs = code === 'network/unreachable' ? unreachableMs : 20_000
  return Math.min(Math.max(retryAfterSeconds * 1000, leastMs), longestDelayMs)
}

const unreachableMs = 5000

// The longest delay of a timer.
const longestDelayMs = 2 ** 31 - 1
