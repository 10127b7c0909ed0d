import process from 'node:process'
import { pino, type Logger } from 'pino'
import { describeError } from './describeError.ts'

// As many lines as are written at once, in characters.
const chunkLength = 32_768
const flushMs = 500

/**
 * Writes JSON lines to the standard output, many at a time: a line is written within half a second, one of an error at once.
 *
 * @param level how much is written
 */
export function createLog(level: string): { readonly log: Logger; end(): void } {
  const output = pino.destination({ dest: 1, sync: false })
  // Gathered here, since the destination measures all that it has gathered at every line.
  let lines = ''
  const pass = () => {
    if (lines === '') return
    output.write(lines)
    lines = ''
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
      lines += line
      if (lines.length >= chunkLength) pass()
    },
  }
  const timer = setInterval(pass, flushMs)
  process.once('exit', flush)
  const log = pino({ level, base: null, serializers: { err: describeError } }, gather)
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
