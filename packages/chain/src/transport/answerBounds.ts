import type { RpcRequest } from './NodeLink.ts'

const megabyte = 1024 * 1024

/** The maximum size of a WebSocket message, in bytes. */
export const maxMessageBytes = 4 * megabyte

/** Returns the maximum size of the response to a batch, in bytes after decompression. */
export function maxResponseBytes(batch: readonly RpcRequest[]): number {
  return batch.some(isLarge) ? 64 * megabyte : 16 * megabyte
}

/** Returns whether a request is for events, or for a block with all its transactions. */
function isLarge({ method, params }: RpcRequest): boolean {
  if (method === 'eth_getLogs') return true
  return method.startsWith('eth_getBlockBy') && Array.isArray(params) && params[1] === true
}

/** A node sent more bytes, more values or a deeper nesting than any valid response has. */
export class OversizedError extends Error {
  override readonly name = 'OversizedError'

  constructor(what: string) {
    super(`the node sent ${what}`)
  }
}

// The deepest valid response, a block with access lists, has eight levels.
const maxDepth = 64

// A parsed value takes up to 56 bytes of memory, however short its text is. Valid responses have one value per 40 bytes
// and more.
const minBytesPerValue = 32

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

/**
 * Creates a check of a JSON text that is read in chunks of UTF-8. It counts the values and the depth before the text is
 * parsed, because a short text can have millions of values.
 *
 * @param maxBytes the maximum size of the text, which also bounds its number of values
 */
export function createJsonCheck(maxBytes: number): JsonCheck {
  let [bytes, values, depth] = [0, 0, 0]
  let [isInString, isEscaped] = [false, false]

  function readInString(byte: number): void {
    if (isEscaped) isEscaped = false
    else if (byte === backslash) isEscaped = true
    else if (byte === quote) isInString = false
  }
  function readOutside(byte: number): void {
    if (byte === quote) isInString = true
    else if (byte === comma) values += 1
    else if (openers.has(byte)) [values, depth] = [values + 1, depth + 1]
    else if (closers.has(byte)) depth -= 1
    if (depth > maxDepth) throw new OversizedError(`JSON with more than ${maxDepth} levels`)
  }
  return {
    add(chunk) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new OversizedError(`more than ${maxBytes} bytes`)
      for (const byte of chunk) {
        if (isInString) readInString(byte)
        else readOutside(byte)
      }
      const maxValues = maxBytes / minBytesPerValue
      if (values > maxValues) throw new OversizedError(`JSON with more than ${maxValues} values`)
    },
  }
}

/** A check of a JSON text. */
export type JsonCheck = {
  /** Takes the next bytes of the text. @throws `OversizedError` if the text is too long, too deep, or has too many values */
  add(chunk: Uint8Array): void
}
