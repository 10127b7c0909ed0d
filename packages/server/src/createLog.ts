import { pino, type Logger } from 'pino'
import { createLineBuffer } from './output/createLineBuffer.ts'
import type { Output } from './output/Output.ts'
import { serializeError } from './serializeError.ts'

/**
 * Creates a log of JSON lines. Lines are written in batches, within half a second; errors at once.
 *
 * No line waits for the output: while it accepts no more, lines are dropped and counted, and one line reports how many once it
 * has recovered.
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
  /** Writes a line as it is. */
  print(line: string): void
  /** Returns the number of lines dropped so far. */
  countDropped(): number
  /** Writes what waits, for a second at most. */
  end(): Promise<void>
}
