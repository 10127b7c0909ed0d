import { BaseError, type Hex } from 'viem'

/**
 * The data that a contract reverted with, from whatever a node answered: `0x` for a revert without data, undefined if the
 * failure was no revert.
 */
export function findRevertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined
  let found: Hex | undefined
  error.walk((cause) => {
    found ??= dataOf(cause)
    return found !== undefined
  })
  if (found) return found
  return /execution reverted|reverted without a reason|vm exception/i.test(error.details) ? '0x' : undefined
}

// Nodes put the data into `data`, or into `data.data`.
function dataOf(cause: unknown): Hex | undefined {
  if (typeof cause !== 'object' || cause === null || !('data' in cause)) return undefined
  const { data } = cause
  if (typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data)) return data as Hex
  return dataOf({ ...(typeof data === 'object' ? data : {}) })
}
