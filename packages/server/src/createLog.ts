import { Buffer } from 'node:buffer'
import process from 'node:process'
import { pino, type Logger } from 'pino'
import { serializeError } from './serializeError.ts'

// As much as is written at once.
const chunkBytes = 65_536
const flushMs = 500

/**
 * Writes JSON lines to the standard output, many at a time: a line is written within half a second, one of an error at once.
 *
 * @param level how much is written
 */
export function createLog(level: string): { readonly log: Logger; end(): void } {
  const output = pino.destination({ dest: 1, sync: false, contentMode: 'buffer' } as const)
  // Gathered here as bytes: the destination measures all that it has gathered at every line, and lines that wait as text
  // keep every piece that they were made of.
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
    // Before it is open there is nothing to flush, and after an error on the output nothing to do.
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
