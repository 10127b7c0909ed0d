import { pino, type Logger } from 'pino'
import { describeError } from './describeError.ts'

/**
 * Writes JSON lines to the standard output, many at a time: a line is written within half a second, one of an error at once.
 *
 * @param level how much is written
 */
export function createLog(level: string): { readonly log: Logger; end(): void } {
  const lines = pino.destination({ dest: 1, sync: false, minLength: 4096 })
  const flush = () => {
    // Before it is open there is nothing to flush, and after an error on the output nothing to do.
    try {
      lines.flushSync()
    } catch {}
  }
  const timer = setInterval(flush, 500)
  const log = pino({ level, base: null, serializers: { err: describeError } }, lines)
  const error = log.error.bind(log)
  log.error = (...line: Parameters<typeof error>) => {
    error(...line)
    flush()
  }
  return {
    log,
    end() {
      clearInterval(timer)
      flush()
    },
  }
}
