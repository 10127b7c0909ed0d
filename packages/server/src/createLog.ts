import { pino, type Logger } from 'pino'
import { createLineBuffer } from './output/createLineBuffer.ts'
import type { Output } from './output/Output.ts'
import { serializeError } from './serializeError.ts'

/**
 * Creates a log of JSON lines. Lines are written in batches, within half a second. Errors are written at once.
 *
 * Logging never waits for the output. While the output is full, lines are dropped and counted. When the output has
 * recovered, one line reports their number.
 *
 * @param level the least severe level to write
 */
export function createLog(level: string, output: Output): ServiceLog {
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
    print(line) {
      lines.add(`${line}\n`)
      lines.flush()
    },
    countDropped: lines.countDropped,
    end: lines.end,
  }
}

export type ServiceLog = {
  readonly log: Logger
  /** Writes a line unchanged. */
  print(line: string): void
  /** Returns the number of lines dropped so far. */
  countDropped(): number
  /** Writes the buffered lines, for at most a second. */
  end(): Promise<void>
}
