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

// They take up to 0.2 s and 60 MB to parse, if they share their keys. A block of 20,000 transactions has as many values, and real
// blocks have a quarter.
const maxValues = 500_000

// A new key, or a new order of keys, takes several times longer to parse than a value. Real responses have 3,000 bytes of
// distinct keys at most.
const maxKeyBytes = 20_000

const [quote, backslash, comma, brace] = [0x22, 0x5c, 0x2c, 0x7b]
const openers = new Set([0x5b, brace])
const closers = new Set([0x5d, 0x7d])

/** The keys of objects as a tree of bytes. A path has the keys of one object, in their order. */
type Keys = Map<number, Keys>

/**
 * Creates a check of a JSON text that is read in chunks of UTF-8. It counts the values, the levels and the distinct keys
 * before the text is parsed, because a short text can have millions. A value is a field, or an element of an array.
 */
export function createJsonCheck(maxBytes: number) {
  let [bytes, values, keyBytes] = [0, 0, 0]
  let [isInString, isEscaped, isInKey, isKeyNext] = [false, false, false, false]
  const root: Keys = new Map()
  // The keys of each open object so far; undefined for an open array.
  const levels: (Keys | undefined)[] = []

  function readKey(byte: number): void {
    const keys = levels.pop() ?? root
    let next = keys.get(byte)
    if (!next) {
      next = new Map()
      keys.set(byte, next)
      keyBytes += 1
      if (keyBytes > maxKeyBytes) throw new OversizedError(`JSON with more than ${maxKeyBytes} bytes of distinct keys`)
    }
    levels.push(next)
  }
  function readInString(byte: number): void {
    if (isInKey) readKey(byte)
    if (isEscaped) isEscaped = false
    else if (byte === backslash) isEscaped = true
    else if (byte === quote) isInString = false
  }
  function open(byte: number): void {
    values += 1
    isKeyNext = byte === brace
    levels.push(isKeyNext ? root : undefined)
    if (levels.length > maxDepth) throw new OversizedError(`JSON with more than ${maxDepth} levels`)
  }
  function readOutside(byte: number): void {
    if (byte === quote) [isInString, isInKey, isKeyNext] = [true, isKeyNext, false]
    else if (byte === comma) [values, isKeyNext] = [values + 1, levels.at(-1) !== undefined]
    else if (openers.has(byte)) open(byte)
    else if (closers.has(byte)) levels.pop()
  }
  return {
    /** Takes the next bytes of the text. @throws `OversizedError` if the text is beyond a bound */
    add(chunk: Uint8Array): void {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new OversizedError(`more than ${maxBytes} bytes`)
      for (const byte of chunk) {
        if (isInString) readInString(byte)
        else readOutside(byte)
      }
      if (values > maxValues) throw new OversizedError(`JSON with more than ${maxValues} values`)
    },
  }
}

// A fast chain has ten blocks per second, each with a notice of 2 kB. After a pause, the notices of a minute arrive at once.
const noticeWindowMs = 10_000
const maxNotices = 1000
const maxNoticeBytes = 8 * megabyte

/**
 * Creates a check of the notices of a connection, which a node sends without a request. It counts them and their bytes in
 * windows of ten seconds.
 */
export function createNoticeCheck(now: () => number) {
  let [startedAtMs, notices, bytes] = [-Infinity, 0, 0]
  return {
    /** Takes the size of the next notice. @throws `OversizedError` if the notices are too many or too large together */
    add(noticeBytes: number): void {
      if (now() - startedAtMs > noticeWindowMs) [startedAtMs, notices, bytes] = [now(), 0, 0]
      notices += 1
      bytes += noticeBytes
      if (notices > maxNotices) throw new OversizedError(`more than ${maxNotices} notices in ten seconds`)
      if (bytes > maxNoticeBytes)
        throw new OversizedError(`more than ${maxNoticeBytes} bytes of notices in ten seconds`)
    },
  }
}
