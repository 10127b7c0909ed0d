import { BaseError, encodeErrorResult, parseAbi, type Hex } from 'viem'

const abi = parseAbi(['error Error(string)'])

/**
 * Returns the revert data in a node's error: `0x` for a revert without data, undefined if the error is not a revert. If
 * a node returns the revert message only in its error message, the message is encoded as the contract returned it.
 */
export function findRevertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined
  let found: Hex | undefined
  error.walk((cause) => {
    found ??= dataOf(cause)
    return found !== undefined
  })
  if (found && found !== '0x') return found
  const revertMessage = /execution reverted: (.+)/is.exec(error.details)?.[1]
  if (revertMessage !== undefined) return toHex(revertMessage) ?? encodeErrorResult({ abi, args: [revertMessage] })
  return found ?? (/execution reverted|reverted without a reason|vm exception/i.test(error.details) ? '0x' : undefined)
}

// Nodes return the data as `data` or as `data.data`.
function dataOf(cause: unknown): Hex | undefined {
  if (typeof cause !== 'object' || cause === null || !('data' in cause)) return undefined
  const { data } = cause
  const hex = typeof data === 'string' ? toHex(data) : undefined
  if (hex) return hex
  return dataOf(data)
}

// Parity and old versions of Nethermind return "Reverted 0x…".
function toHex(text: string): Hex | undefined {
  const digits = text.replace(/^reverted /i, '')
  return digits.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(digits) ? (digits as Hex) : undefined
}
