/**
 * Creates a function that runs one function of a name at a time among all tabs of the browser. If another tab holds the lock,
 * it calls `onWait` and waits. Without Web Locks, as in pages without TLS and on servers, functions run at once.
 *
 * @param getLocks returns the locks of the page. Called when a function is run
 */
export function createRunAlone(getLocks: () => Locks | undefined = getBrowserLocks): RunAlone {
  /** The locks that this tab has not released yet. */
  const ending = new Map<string, Promise<void>>()
  return async <Result>(name: string, run: Run<Result>, onWait?: () => void) => {
    const locks = getLocks()
    if (!locks) return await run(() => {})
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const hold = async () => {
      let lingerMs = 0
      const linger = () => {
        lingerMs = propagationMs
      }
      await run(linger).then(resolve, reject)
      await new Promise((end) => setTimeout(end, lingerMs))
    }
    // This tab may not have released the lock yet.
    await ending.get(name)
    const held = request(locks, { name, hold, onWait }).catch(async () => {
      // Sandboxed pages have locks that reject every request.
      await hold()
    })
    ending.set(name, held)
    try {
      return await promise
    } finally {
      void held.then(() => ending.get(name) === held && ending.delete(name))
    }
  }
}

/**
 * Runs a function under the lock of a name.
 *
 * @param run calls `linger` if it has stored something. The lock is then released a moment after the result, when other
 * tabs have the stored value
 */
export type RunAlone = <Result>(name: string, run: Run<Result>, onWait?: () => void) => Promise<Result>

type Run<Result> = (linger: () => void) => Promise<Result>

/** The used part of the Web Locks API. */
export type Locks = Pick<LockManager, 'request'>

function getBrowserLocks(): Locks | undefined {
  return (globalThis as { readonly navigator?: { readonly locks?: Locks } }).navigator?.locks
}

type Request = {
  readonly name: string
  readonly hold: () => Promise<void>
  readonly onWait: (() => void) | undefined
}

async function request(locks: Locks, { name, hold, onWait }: Request): Promise<void> {
  const isFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await hold()
    return lock !== null
  })
  if (isFree) return
  onWait?.()
  await locks.request(name, hold)
}

// Stored values reach other tabs later than a released lock.
const propagationMs = 250
