import { mkdir, rmdir, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

// A process holds a mutex for milliseconds. An older mutex belongs to a process that was killed.
const staleAfterMs = 2000
const retryMs = 20

/** Acquires a mutex between processes as soon as it is free. The mutex is a folder, which only one process can create. */
export async function acquireMutex(path: string): Promise<AsyncDisposable> {
  while (!(await tryCreate(path))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Math.abs(Date.now() - mtimeMs) < staleAfterMs) await wait(retryMs)
    else await remove(path)
  }
  return { [Symbol.asyncDispose]: () => remove(path) }
}

async function tryCreate(path: string): Promise<boolean> {
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
