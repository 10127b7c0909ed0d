/**
 * Creates a reader of values by id with one read in flight at a time. Requests that arrive meanwhile share the next
 * read. So the source serves one read at a time, and a request waits only for the reads before its own.
 *
 * @param read reads the values of ids; ids without a value are absent
 * @param maxIds the largest number of ids in one read
 * @returns a function that returns the value of an id, or undefined. It rejects with the error of its read or of the
 * read before it, so that no request waits twice for a failing source
 */
export function createBatchReader<Value>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  maxIds = 500,
): (id: string) => Promise<Value | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<Value | undefined>>()
  const inFlight = new Map<string, Promise<Value | undefined>>()

  async function readNext(): Promise<void> {
    const batch = [...waiting].slice(0, maxIds)
    for (const [id, { promise }] of batch) {
      waiting.delete(id)
      inFlight.set(id, promise)
    }
    try {
      const values = await read(batch.map(([id]) => id))
      for (const [id, { resolve }] of batch) resolve(values.get(id))
    } catch (error) {
      for (const { reject } of [...batch.map(([, pending]) => pending), ...waiting.values()]) reject(error)
      waiting.clear()
    }
    inFlight.clear()
    if (waiting.size > 0) void readNext()
  }
  return (id) => {
    const requested = inFlight.get(id) ?? waiting.get(id)?.promise
    if (requested) return requested
    const pending = Promise.withResolvers<Value | undefined>()
    waiting.set(id, pending)
    if (waiting.size === 1 && inFlight.size === 0) void readNext()
    return pending.promise
  }
}
