import { findAgioError } from './findAgioError.ts'

/**
 * How long a page waits before it repeats by itself what has failed, in milliseconds: what the service demands, and no less than 20
 * seconds for what costs a call of the key; 5 seconds if the service cannot be reached.
 *
 * @returns undefined for an error that stays until the user changes something
 */
export function toRetryDelayMs(error: unknown): number | undefined {
  const known = findAgioError(error)
  if (!known?.retryable) return undefined
  const { code, retryAfterSeconds = 0 } = known
  const leastMs = code === 'network/unreachable' ? 5000 : 20_000
  return Math.min(Math.max(retryAfterSeconds * 1000, leastMs), longestDelayMs)
}

// Timers take no longer delays.
const longestDelayMs = 2 ** 31 - 1
