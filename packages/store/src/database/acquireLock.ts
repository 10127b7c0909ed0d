import { mkdir, rmdir, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

// What is done under a lock takes moments: one that is older is that of a process which was killed meanwhile.
const heldForMs = 2000
const retryMs = 20

/** Takes a lock between processes, that is a folder which only one of them can make, as soon as it is free. */
export async function acquireLock(path: string): Promise<AsyncDisposable> {
  while (!(await make(path))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Math.abs(Date.now() - mtimeMs) < heldForMs) await wait(retryMs)
    else await remove(path)
  }
  return { [Symbol.asyncDispose]: () => remove(path) }
}

async function make(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function remove(path: string): Promise<void> {
  await rmdir(path).catch(() => {})
}
