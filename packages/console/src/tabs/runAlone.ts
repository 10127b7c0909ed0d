/**
 * Runs a function while no other tab of the browser runs one of the same name: it waits for that tab, and says so by `onWait`.
 * Where there are no locks, as in pages that came without TLS, it runs at once.
 *
 * @param run calls `linger` if it has stored something: the lock is then free a moment later than its result, when other tabs
 * have what was stored
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
  // This tab itself may hold it still.
  await ending.get(name)
  const held = request(locks, { name, hold, onWait }).catch(async () => {
    // Pages in a sandbox have locks that refuse every request.
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

/** The locks of this tab that are not free again. */
const ending = new Map<string, Promise<void>>()

// What was stored reaches other tabs later than a lock.
const propagationMs = 250
