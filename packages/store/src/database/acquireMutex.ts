import { mkdir, rmdir, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

// A process holds the mutex for milliseconds. An older mutex was left by a killed process.
const staleAfterMs = 2000
const retryMs = 20

/**
 * Acquires a mutex between processes, and waits until it is free. The mutex is a folder: only one process can create
 * it.
 */
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
