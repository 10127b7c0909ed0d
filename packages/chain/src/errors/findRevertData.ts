import { BaseError, encodeErrorResult, parseAbi, type Hex } from 'viem'

const abi = parseAbi(['error Error(string)'])

/**
 * The data that a contract reverted with, from whatever a node answered: `0x` for a revert without data, undefined if the
 * failure was no revert. A sentence that a node tells in its message alone is put into data as the contract had it.
 */
export function findRevertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined
  let found: Hex | undefined
  error.walk((cause) => {
    found ??= dataOf(cause)
    return found !== undefined
  })
  if (found && found !== '0x') return found
  const sentence = /execution reverted: (.+)/is.exec(error.details)?.[1]
  if (sentence !== undefined) return encodeErrorResult({ abi, args: [sentence] })
  return found ?? (/execution reverted|reverted without a reason|vm exception/i.test(error.details) ? '0x' : undefined)
}

// Nodes put the data into `data`, or into `data.data`.
function dataOf(cause: unknown): Hex | undefined {
  if (typeof cause !== 'object' || cause === null || !('data' in cause)) return undefined
  const { data } = cause
  if (typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data)) return data as Hex
  return dataOf({ ...(typeof data === 'object' ? data : {}) })
}
