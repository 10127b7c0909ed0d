import { Buffer } from 'node:buffer'
import process from 'node:process'
import { pino, type Logger } from 'pino'
import { serializeError } from './serializeError.ts'

// The size of one write.
const chunkBytes = 65_536
const flushMs = 500

/**
 * Creates a log of JSON lines on the standard output. Lines are written in batches, within half a second; errors at once.
 *
 * @param level the least severe level to write
 */
export function createLog(level: string): { readonly log: Logger; end(): void } {
  const output = pino.destination({ dest: 1, sync: false, contentMode: 'buffer' } as const)
  // Buffered here as bytes: pino's own destination measures its whole buffer for each line, and buffered strings keep all
  // the pieces that they were concatenated from.
  let chunk = Buffer.allocUnsafe(chunkBytes)
  let length = 0
  const pass = () => {
    if (length === 0) return
    output.write(chunk.subarray(0, length) as unknown as string)
    chunk = Buffer.allocUnsafe(chunkBytes)
    length = 0
  }
  const flush = () => {
    pass()
    // Flushing throws before the output is open, when nothing is buffered, and after an error of the output.
    try {
      output.flushSync()
    } catch {}
  }
  const gather = {
    write(line: string): void {
      // A character takes three bytes at most.
      const maxBytes = line.length * 3
      if (length + maxBytes > chunkBytes) pass()
      if (maxBytes > chunkBytes) output.write(Buffer.from(line) as unknown as string)
      else length += chunk.write(line, length)
    },
  }
  const timer = setInterval(pass, flushMs)
  process.once('exit', flush)
  const log = pino({ level, base: null, serializers: { err: serializeError } }, gather)
  const error = log.error.bind(log)
  log.error = (...line: Parameters<typeof error>) => {
    error(...line)
    flush()
  }
  return {
    log,
    end() {
      clearInterval(timer)
      process.off('exit', flush)
      flush()
    },
  }
}
