import { inspect } from 'node:util'

/** Creates a log that records its entries. */
export function createTestLog() {
  const entries: LogEntry[] = []
  const write = (level: LogEntry['level']) => (fields: object, message: string) =>
    void entries.push({ level, fields, message })
  return {
    info: write('info'),
    error: write('error'),
    entries,
    /** The messages of all errors, in order. */
    errors: () => entries.filter(({ level }) => level === 'error').map(({ message }) => message),
    /** All entries as text, with every nested value. */
    dump: () => inspect(entries, { depth: null, showHidden: true, maxStringLength: null }),
  }
}

export type TestLog = ReturnType<typeof createTestLog>

type LogEntry = { readonly level: 'info' | 'error'; readonly fields: object; readonly message: string }
