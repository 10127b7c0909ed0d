import { inspect } from 'node:util'
import type { StoreLog } from '@agio/store'

/** Creates a log that records its entries. */
export function createTestLog(): TestLog {
  const entries: LogEntry[] = []
  const write = (level: LogEntry['level']) => (fields: object, message: string) =>
    void entries.push({ level, fields, message })
  return {
    info: write('info'),
    error: write('error'),
    entries,
    errors: () => entries.filter(({ level }) => level === 'error').map(({ message }) => message),
    dump: () => inspect(entries, { depth: null, showHidden: true, maxStringLength: null }),
  }
}

export type TestLog = StoreLog & {
  readonly entries: readonly LogEntry[]
  /** The messages of all errors, in order. */
  errors(): readonly string[]
  /** All entries as text, with every nested value. */
  dump(): string
}

type LogEntry = { readonly level: 'info' | 'error'; readonly fields: object; readonly message: string }
