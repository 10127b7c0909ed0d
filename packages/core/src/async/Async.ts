/** Creates a mutex. It runs one task at a time, in the order of the calls, and continues after a task that fails. */
export function createMutex(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const done = last.then(task, task)
    last = done
    return done
  }
}

const maxStepMs = 500

/**
 * Calls a function once this process has run for a time. A standstill of the process, such as a suspended machine, counts as one
 * step, because what arrived meanwhile could not be read. A step is a quarter of the time, and at most 500 ms.
 *
 * @returns a function that cancels the call
 */
export function startTimeLimit(timeoutMs: number, onTimeout: () => void): () => void {
  const stepMs = Math.min(maxStepMs, Math.ceil(timeoutMs / 4))
  let timer: ReturnType<typeof setTimeout> | undefined
  function wait(leftMs: number): void {
    const waitMs = Math.min(stepMs, leftMs)
    timer = setTimeout(() => (leftMs > waitMs ? wait(leftMs - waitMs) : onTimeout()), waitMs)
  }
  wait(timeoutMs)
  return () => clearTimeout(timer)
}

/**
 * Returns the result of a promise within a time limit.
 *
 * @throws the error of the promise, or the result of `toError` after the time limit
 */
export async function withTimeLimit<Result>(
  timeoutMs: number,
  promise: Promise<Result>,
  toError: () => Error,
): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const cancel = startTimeLimit(timeoutMs, () => reject(toError()))
  return await Promise.race([promise, timeout]).finally(cancel)
}

/**
 * Waits for a promise, but not longer than a time limit or until an abort. Returns its result, or undefined if it is still
 * pending.
 *
 * @throws the error of the promise within that time
 */
export async function waitAtMost<Result>(
  timeoutMs: number,
  promise: Promise<Result>,
  abort?: AbortSignal,
): Promise<Result | undefined> {
  const { promise: ended, resolve } = Promise.withResolvers<undefined>()
  const end = () => resolve(undefined)
  const cancel = startTimeLimit(timeoutMs, end)
  abort?.addEventListener('abort', end)
  return await Promise.race([promise, ended]).finally(() => {
    cancel()
    abort?.removeEventListener('abort', end)
  })
}

/**
 * Creates a function that runs at most `limit` tasks of a key at once. Further tasks start in the order of their calls. A task that
 * need not wait starts at once.
 *
 * @returns a function that returns the result of a task. `wait` may end the wait of a task: the task then throws its error
 */
export function createSlots<Key>(): RunInSlot<Key> {
  const keys = new Map<Key, { inFlight: number; readonly waiting: Set<() => void> }>()

  function leave(key: Key): void {
    const slots = keys.get(key)
    const [next] = slots?.waiting ?? []
    // A waiting task takes over the slot.
    if (next) {
      slots?.waiting.delete(next)
      next()
    } else if (slots && (slots.inFlight -= 1) === 0) keys.delete(key)
  }
  return async (key, task, { limit, wait = (started) => started }) => {
    const slots = keys.get(key) ?? { inFlight: 0, waiting: new Set() }
    keys.set(key, slots)
    if (slots.inFlight < limit) slots.inFlight += 1
    else {
      const { promise: started, resolve: start } = Promise.withResolvers<void>()
      slots.waiting.add(start)
      await wait(started).catch((error: unknown) => {
        if (!slots.waiting.delete(start)) leave(key)
        throw error
      })
    }
    try {
      return await task()
    } finally {
      leave(key)
    }
  }
}

type RunInSlot<Key> = <Result>(key: Key, task: () => Promise<Result>, options: SlotOptions) => Promise<Result>

type SlotOptions = {
  /** The largest number of tasks of the key at once. */
  readonly limit: number
  /** Waits until the task may start. Default: for as long as that takes. */
  readonly wait?: ((started: Promise<void>) => Promise<void>) | undefined
}

/**
 * Creates a function that sends the items of one tick together, at most `maxSize` at once.
 *
 * @param send returns the result of each item, in their order
 * @returns a function that returns the result of an item. It throws the error of the item, or of its whole batch
 */
export function createBatch<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly BatchResult<Result>[]>,
  maxSize: number,
): (item: Item) => Promise<Result> {
  let waiting: Pending<Item, Result>[] = []

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      settle(batch, await send(batch.map(({ item }) => item)))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return (item) => {
    const pending = Promise.withResolvers<Result>()
    if (waiting.length === 0) {
      const batch = waiting
      setTimeout(() => batch === waiting && void flush(), 0)
    }
    waiting.push({ item, ...pending })
    if (waiting.length === maxSize) void flush()
    return pending.promise
  }
}

/**
 * Creates a function that sends the items of a key together, at most `maxSize` at once. A key has one batch in flight. Items that
 * arrive meanwhile form the next batch.
 *
 * @param send returns the result of each item, in their order
 * @returns a function that returns the result of an item. It throws the error of the item, of its batch, or of the batch before
 * it, so that no item waits twice for what fails
 */
export function createSerialBatch<Item, Result>(
  send: (key: string, items: readonly Item[]) => Promise<readonly BatchResult<Result>[]>,
  maxSize = Infinity,
): (key: string, item: Item) => Promise<Result> {
  const queues = new Map<string, Pending<Item, Result>[]>()

  async function sendAll(key: string, waiting: Pending<Item, Result>[]): Promise<void> {
    // The items of one tick form one batch.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxSize)
      const items = batch.map(({ item }) => item)
      await send(key, items).then(
        (results) => settle(batch, results),
        (error: unknown) => {
          for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error)
        },
      )
    }
    queues.delete(key)
  }
  return (key, item) => {
    const pending = { item, ...Promise.withResolvers<Result>() }
    const queue = queues.get(key)
    if (queue) queue.push(pending)
    else {
      const waiting = [pending]
      queues.set(key, waiting)
      void sendAll(key, waiting)
    }
    return pending.promise
  }
}

type Pending<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item }

function settle<Item, Result>(batch: readonly Pending<Item, Result>[], results: readonly BatchResult<Result>[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index]
    if (result && 'value' in result) resolve(result.value)
    else reject(result?.error)
  }
}

/** The result of an item of a batch, or its error. */
export type BatchResult<Result> = { readonly value: Result } | { readonly error: Error }

/** Creates a notifier that any number of callers can wait for. */
export function createNotifier() {
  let next = Promise.withResolvers<void>()
  return {
    /** Resolves at the next notification. */
    wait: () => next.promise,
    /** Resolves every pending `wait`. */
    notify(): void {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
  }
}
