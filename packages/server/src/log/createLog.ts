import { pino } from 'pino'
import { createLineBuffer } from './createLineBuffer.ts'
import type { Output } from './Output.ts'

/**
 * Creates a log of JSON lines. Lines are written in batches, within half a second. Errors are written at once.
 *
 * Logging never waits for the output. While the output is full, lines are dropped and counted. When the output has
 * recovered, one line reports their number.
 *
 * @param level the least severe level to write
 */
export function createLog(level: string, output: Output) {
  const lines = createLineBuffer(output, {
    onRecovered: (droppedLines) =>
      log.error({ droppedLines }, 'log lines were dropped: the output was full or stalled'),
  })
  const log = pino({ level, base: null, serializers: { err: serializeError } }, { write: lines.add })
  const error = log.error.bind(log)
  log.error = (...line: Parameters<typeof error>) => {
    error(...line)
    lines.flush()
  }
  return {
    log,
    /** Writes a line unchanged. */
    print(line: string): void {
      lines.add(`${line}\n`)
      lines.flush()
    },
    /** Returns the number of lines dropped so far. */
    countDropped: lines.countDropped,
    /** Writes the buffered lines, for at most a second. */
    end: lines.end,
  }
}

/** The log of the service and its output. */
export type ServiceLog = ReturnType<typeof createLog>

const maxCauses = 5

/**
 * Returns an error for the log: name, code and message of the error and of each cause.
 *
 * Errors of viem have their short message, because the full message contains the request and the URL of the node, which
 * may contain a key. The message of a failed database query is omitted, because it contains the values to store. An error of
 * PostgreSQL has its message only in the classes that quote no value.
 */
export function serializeError(error: unknown): object {
  const causes: object[] = []
  for (let cause = error; cause instanceof Error && causes.length < maxCauses; cause = cause.cause) {
    causes.push(serializeCause(cause))
  }
  return { causes }
}

function serializeCause(cause: Error): object {
  const { name, code, shortMessage, query, message, stack } = cause as Error & {
    readonly code?: unknown
    readonly shortMessage?: string
    readonly query?: unknown
  }
  if (shortMessage !== undefined) return { name, code, message: shortMessage }
  if ('severity' in cause && !/^(?:08|28|3D|42|53|57)/.test(String(code))) return { name, code }
  return typeof query === 'string' ? { name, code, message: 'Failed query' } : { name, code, message, stack }
}
