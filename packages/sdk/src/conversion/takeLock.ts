/**
 * Takes a lock for all pages of an origin and all threads of a process, and returns a function that releases it. If the
 * lock is taken, it calls `onWait` and waits. Without `onWait` it then returns without the lock. Without Web Locks it
 * returns at once.
 *
 * @throws the reason of the signal if it is aborted during the wait
 */
export async function takeLock(name: string, { onWait, signal }: Options = {}): Promise<Release> {
  const { locks } = (globalThis as { readonly navigator?: { readonly locks?: Locks } }).navigator ?? {}
  if (!locks) return release
  try {
    const free = await request(locks, name, { ifAvailable: true })
    if (free) return free
  } catch {
    // Sandboxed pages have locks that reject every request.
    return release
  }
  if (!onWait) return release
  await onWait()
  return (await request(locks, name, signal ? { signal } : {})) ?? release
}

type Options = {
  readonly onWait?: (() => Promise<void>) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Releases a lock. Resolves once another page can take it. */
export type Release = () => Promise<void>

/** Releases nothing. */
async function release(): Promise<void> {}

/** Resolves with the function that releases the lock once it is granted, or with undefined if it is not available. */
async function request(locks: Locks, name: string, options: LockOptions): Promise<Release | undefined> {
  return await new Promise((resolve, reject) => {
    const held: Promise<unknown> = locks.request(name, options, async (lock) => {
      if (!lock) return resolve(undefined)
      await new Promise<void>((end) => {
        resolve(async () => {
          end()
          await held
        })
      })
    })
    held.catch(reject)
  })
}

/** The used part of the Web Locks API. */
type Locks = {
  request(name: string, options: LockOptions, run: (lock: unknown) => Promise<void>): Promise<unknown>
}

type LockOptions = { readonly ifAvailable?: boolean; readonly signal?: AbortSignal }
