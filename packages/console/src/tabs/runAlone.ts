/**
 * Runs a function under a lock for all tabs of the browser. If another tab holds the lock, it calls `onWait` and waits.
 * Without Web Locks, as in pages without TLS, it runs at once.
 *
 * @param run calls `linger` if it has stored something. The lock is then released a moment after the result, when other
 * tabs have the stored value
 */
export async function runAlone<Result>(name: string, run: Run<Result>, onWait?: () => void): Promise<Result> {
  const { locks } = navigator as { readonly locks?: LockManager }
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

type Run<Result> = (linger: () => void) => Promise<Result>

type Request = {
  readonly name: string
  readonly hold: () => Promise<void>
  readonly onWait: (() => void) | undefined
}

async function request(locks: LockManager, { name, hold, onWait }: Request): Promise<void> {
  const isFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await hold()
    return lock !== null
  })
  if (isFree) return
  onWait?.()
  await locks.request(name, hold)
}

/** The locks that this tab has not released yet. */
const ending = new Map<string, Promise<void>>()

// Stored values reach other tabs later than a released lock.
const propagationMs = 250
