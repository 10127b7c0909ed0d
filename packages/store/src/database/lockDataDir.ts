import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { acquireMutex } from './acquireMutex.ts'

const heartbeatMs = 1000
// An owner on another machine counts as dead once its heartbeat is this old: its process cannot be checked.
const deadAfterMs = 5000
// An owner on this machine counts as dead once its heartbeat is this old, since another process may have reused its id.
const abandonedAfterMs = 60_000

const ownerEntry = 'owner.json'
const mutexEntry = 'owner.lock'

/** The entries of a data directory that belong to its lock. */
export const lockEntries: readonly string[] = [ownerEntry, mutexEntry]

const heldByThisProcess = new Set<string>()

/**
 * Locks a data directory for this process. The lock is a file that names its owner and whose modification time is the
 * owner's heartbeat, so that a killed process leaves nothing behind that an operator has to remove.
 *
 * @throws `Error` that names the owner if another process holds the lock
 */
export async function lockDataDir(folder: string): Promise<DataDirLock> {
  const file = join(folder, ownerEntry)
  const own = { pid: process.pid, host: hostname(), claim: crypto.randomUUID() }
  await waitForNamesake(folder)
  await takeOver(folder, own)
  let onLost = () => {}
  const timer = setInterval(() => void beat(), heartbeatMs)
  async function beat(): Promise<void> {
    if ((await readOwner(file))?.claim === own.claim) return await touch(file)
    clearInterval(timer)
    heldByThisProcess.delete(own.claim)
    onLost()
  }
  return {
    onLost: (callback) => (onLost = callback),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      if ((await readOwner(file))?.claim === own.claim) await rm(file, { force: true })
      heldByThisProcess.delete(own.claim)
    },
  }
}

export type DataDirLock = AsyncDisposable & {
  /** Registers a callback for when another process has taken the lock, for instance while this one was suspended. */
  onLost(callback: () => void): void
}

type Owner = {
  readonly pid: number
  readonly host: string
  /** Id of one lock, which distinguishes it from other locks of the same process. */
  readonly claim: string
}

/**
 * Waits for the heartbeat of an owner with our process id and host name. An earlier process has none; a living process in
 * another container, where both have process id 1, goes on sending it.
 */
async function waitForNamesake(folder: string): Promise<void> {
  const file = join(folder, ownerEntry)
  const giveUpAtMs = Date.now() + 4 * heartbeatMs
  for (let owner = await readOwner(file); owner && isNamesake(owner); owner = await readOwner(file)) {
    if ((await readSilenceMs(file)) >= 3 * heartbeatMs) return
    if (Date.now() >= giveUpAtMs) throw inUse(folder, owner)
    await wait(50)
  }
}

function isNamesake({ pid, host, claim }: Owner): boolean {
  return pid === process.pid && host === hostname() && !heldByThisProcess.has(claim)
}

async function takeOver(folder: string, own: Owner): Promise<void> {
  const file = join(folder, ownerEntry)
  // Two concurrent checks would both find the folder free.
  await using _ = await acquireMutex(join(folder, mutexEntry))
  await assertFree(file, folder)
  await replaceFile(file, JSON.stringify(own))
  heldByThisProcess.add(own.claim)
}

async function assertFree(file: string, folder: string): Promise<void> {
  const owner = await readOwner(file)
  if (!owner) return
  const silenceMs = await readSilenceMs(file)
  const isLocal = owner.host === hostname()
  if (isLocal && !isAlive(owner)) return
  if (silenceMs < (isLocal ? abandonedAfterMs : deadAfterMs)) throw inUse(folder, owner)
}

function inUse(folder: string, { pid, host }: Owner): Error {
  return new Error(
    `Cannot open the database in ${folder}: process ${pid} on ${host} has it open. Stop that process, or set DATABASE_URL to a PostgreSQL database that several processes can share`,
  )
}

function isAlive({ pid, claim }: Owner): boolean {
  // In containers, an earlier process often had the same process id.
  if (pid === process.pid) return heldByThisProcess.has(claim)
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
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

// A reader finds the old text or the new one, never a part.
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${crypto.randomUUID()}`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, file)
}
