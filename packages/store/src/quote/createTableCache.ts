/**
 * Keeps a small table in memory. Reads may overlap: the result of one that began before the newest result is dropped, so that a
 * slow read never brings back what a later one has replaced.
 *
 * @param read reads the table
 * @param initial what it contains before the first read
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

export type TableCache<Value> = {
  /** Returns what the newest read has found. */
  get(): Value
  /** Reads the table. A read that fails changes nothing. */
  refresh(): Promise<void>
}
