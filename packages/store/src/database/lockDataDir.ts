import { readFile, rename, rm, stat, utimes, writeFile, mkdir, rmdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

const heartbeatMs = 1000
// An owner on this machine whose process cannot be checked counts as dead when its heartbeat is this old.
const silentAfterMs = 3 * heartbeatMs
// An owner on another machine counts as dead when its heartbeat is this old: its process cannot be checked.
const deadAfterMs = 5000
// An owner on this machine counts as dead when its heartbeat is this old: another process may have reused its id.
const abandonedAfterMs = 60_000

const ownerEntry = 'owner.json'
const mutexEntry = 'owner.lock'

/** The entries of a data directory that belong to its lock. */
export const lockEntries: readonly string[] = [ownerEntry, mutexEntry]

const heldByThisProcess = new Set<string>()

/**
 * Locks a data directory for this process. The lock is a file that names its owner. Its modification time is the
 * owner's heartbeat, so a lock of a killed process expires and an operator need not remove it.
 *
 * @throws `DataDirInUseError` if another process holds the lock
 */
export async function lockDataDir(folder: string): Promise<DataDirLock> {
  const file = join(folder, ownerEntry)
  const claimant = { pid: process.pid, host: hostname(), claim: crypto.randomUUID() }
  await waitForHeartbeat(folder)
  await takeOver(folder, claimant)
  let onLost = () => {}
  const timer = setInterval(() => void beat(), heartbeatMs)
  async function beat(): Promise<void> {
    if ((await readOwner(file))?.claim === claimant.claim) return await touch(file)
    clearInterval(timer)
    heldByThisProcess.delete(claimant.claim)
    onLost()
  }
  return {
    onLost: (callback) => (onLost = callback),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      if ((await readOwner(file))?.claim === claimant.claim) await rm(file, { force: true })
      heldByThisProcess.delete(claimant.claim)
    },
  }
}

/** The lock of a data directory. Disposing it releases the directory. */
export type DataDirLock = AsyncDisposable & {
  /** Registers a callback that runs if another process takes the lock, for example while this process is suspended. */
  onLost(callback: () => void): void
}

type Owner = {
  readonly pid: number
  readonly host: string
  /** Id of one lock, which distinguishes it from other locks of the same process. */
  readonly claim: string
}

/**
 * Waits for the heartbeat of an owner on this host whose process cannot be checked. A living owner continues to send
 * its heartbeat, a dead owner does not.
 */
async function waitForHeartbeat(folder: string): Promise<void> {
  const file = join(folder, ownerEntry)
  const giveUpAtMs = Date.now() + 4 * heartbeatMs
  for (let owner = await readOwner(file); owner && isUncertain(owner); owner = await readOwner(file)) {
    if ((await readSilenceMs(file)) >= silentAfterMs) return
    if (Date.now() >= giveUpAtMs) throw new DataDirInUseError(folder, owner)
    await wait(50)
  }
}

/**
 * Returns whether an owner on this host cannot be checked, or has our process id. A process in another container can
 * have our process id.
 */
function isUncertain(owner: Owner): boolean {
  if (owner.host !== hostname()) return false
  return owner.pid === process.pid ? !heldByThisProcess.has(owner.claim) : checkAlive(owner) === undefined
}

async function takeOver(folder: string, claimant: Owner): Promise<void> {
  const file = join(folder, ownerEntry)
  // Two concurrent checks would both find the folder free.
  await using _ = await acquireMutex(join(folder, mutexEntry))
  await assertFree(file, folder)
  await replaceFile(file, JSON.stringify(claimant))
  heldByThisProcess.add(claimant.claim)
}

async function assertFree(file: string, folder: string): Promise<void> {
  const owner = await readOwner(file)
  if (!owner) return
  const silenceMs = await readSilenceMs(file)
  if (silenceMs < toDeadAfterMs(owner)) throw new DataDirInUseError(folder, owner)
}

/** Returns the age of its last heartbeat at which an owner counts as dead. */
function toDeadAfterMs(owner: Owner): number {
  if (owner.host !== hostname()) return deadAfterMs
  const isAlive = checkAlive(owner)
  if (isAlive === undefined) return silentAfterMs
  return isAlive ? abandonedAfterMs : -Infinity
}

/** The error for a data directory that another process has open. */
export class DataDirInUseError extends Error {
  constructor(folder: string, { pid, host }: { readonly pid: number; readonly host: string }) {
    super(
      `Cannot open the database in ${folder}: process ${pid} on ${host} has it open. Stop that process, or set DATABASE_URL to a PostgreSQL database that several processes can share`,
    )
  }
}

/** Returns whether a process of this host is alive; undefined if this process may not check it, as on Deno. */
function checkAlive({ pid, claim }: Owner): boolean | undefined {
  // In containers, an earlier process often had the same process id.
  if (pid === process.pid) return heldByThisProcess.has(claim)
  try {
    return process.kill(pid, 0)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ESRCH' ? false : code === 'EPERM' ? true : undefined
  }
}

/** Returns the milliseconds since the last heartbeat. */
async function readSilenceMs(file: string): Promise<number> {
  return Date.now() - (await stat(file).catch(() => ({ mtimeMs: 0 }))).mtimeMs
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

async function touch(file: string): Promise<void> {
  const now = new Date()
  await utimes(file, now, now).catch(() => {})
}

// The rename is atomic: a reader finds the complete old text or the complete new text.
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${crypto.randomUUID()}`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, file)
}

// A process holds the mutex for milliseconds. An older mutex was left by a killed process.
const staleAfterMs = 2000
const retryMs = 20

/**
 * Acquires a mutex between processes, and waits until it is free. The mutex is a folder: only one process can create
 * it.
 */
async function acquireMutex(path: string): Promise<AsyncDisposable> {
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
