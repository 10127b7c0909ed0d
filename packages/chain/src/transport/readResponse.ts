import { createJsonCheck, OversizedError } from './answerBounds.ts'

/**
 * Creates a reader of the responses of one node. It counts bytes after decompression, while it reads them: a compressed
 * body of a few kilobytes can contain gigabytes. A response beyond a bound ends its connection.
 *
 * The unfinished responses of the node have the same bound together, because a node could send many of them at once.
 */
export function createResponseReader(): ResponseReader {
  let unfinishedBytes = 0

  async function* readChunks(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number) {
    const check = createJsonCheck(maxBytes)
    let bytes = 0
    try {
      for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
        if (!value) continue
        bytes += value.byteLength
        unfinishedBytes += value.byteLength
        if (unfinishedBytes > maxBytes) throw new OversizedError(`more than ${maxBytes} bytes at once`)
        check.add(value)
        yield value
      }
    } finally {
      unfinishedBytes -= bytes
    }
  }
  return async (response, maxBytes) => {
    const reader = response.body?.getReader()
    if (!reader) return ''
    try {
      // The text is decoded at once, because a text that is decoded in parts takes twice the memory.
      return new TextDecoder().decode(concatenate(await Array.fromAsync(readChunks(reader, maxBytes))))
    } catch (error) {
      reader.cancel().catch(() => {})
      throw error
    }
  }
}

/** Reads the text of a response. @throws `OversizedError` beyond a bound, and the error of the connection */
export type ResponseReader = (response: Response, maxBytes: number) => Promise<string>

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const whole = new Uint8Array(chunks.reduce((bytes, { byteLength }) => bytes + byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}
