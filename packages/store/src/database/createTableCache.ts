// Processes of earlier versions change webhooks without a change of their key. Until the tables are read again, transactions
// of a new webhook are not followed.
const maxAgeMs = 10_000

/**
 * Keeps a small table in memory. Reads may overlap. The result of a read that began before a newer result's read is
 * dropped, so a slow read never restores old data.
 *
 * @param read reads the table
 * @param initial the table before the first read
 */
export function createTableCache<Value>(read: () => Promise<Value>, initial: Value): TableCache<Value> {
  let value = initial
  let [started, applied] = [0, 0]
  return {
    get: () => value,
    async refresh() {
      const number = (started += 1)
      const found = await read()
      if (number < applied) return
      applied = number
      value = found
    },
  }
}

/** A table in memory. */
export type TableCache<Value> = {
  /** Returns the result of the newest read. */
  get(): Value
  /** Reads the table. A failed read changes nothing. */
  refresh(): Promise<void>
}

/**
 * Creates a function that refreshes tables in memory if keys have changed since the last refresh, and at least every ten
 * seconds.
 *
 * @param refresh reads the tables. If it fails, the next call repeats it
 */
export function createRefresher(
  refresh: () => Promise<unknown>,
  monotonicMs: () => number,
): (changes: ReadonlyMap<string, string>) => Promise<void> {
  let refreshed = { changes: '', atMs: monotonicMs() }
  return async (latest) => {
    const changes = [...latest].join(' ')
    const atMs = monotonicMs()
    if (changes === refreshed.changes && atMs - refreshed.atMs < maxAgeMs) return
    await refresh()
    refreshed = { changes, atMs }
  }
}
