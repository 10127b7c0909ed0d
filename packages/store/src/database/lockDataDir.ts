import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { acquireLock } from './acquireLock.ts'

const beatMs = 1000
// A claim that was not renewed for so long is a dead process's, unless that process can be seen to live.
const deadAfterMs = 5000
const abandonedAfterMs = 60_000

// The claims of this process.
const held = new Set<string>()

/**
 * Claims a folder for this process. The claim is a file that names its owner and is touched every second, so that a
 * process which was killed leaves nothing behind that has to be cleaned up by hand.
 *
 * @throws `Error` that names the owner, if there is one
 */
export async function lockDataDir(folder: string): Promise<Claim> {
  const file = join(folder, 'owner.json')
  const own = { pid: process.pid, host: hostname(), claim: crypto.randomUUID() }
  await outwaitNamesake(folder)
  await takeOver(folder, own)
  let onLost = () => {}
  const timer = setInterval(() => void beat(), beatMs)
  async function beat(): Promise<void> {
    if ((await read(file))?.claim === own.claim) return await touch(file)
    clearInterval(timer)
    held.delete(own.claim)
    onLost()
  }
  return {
    onLost: (callback) => (onLost = callback),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      if ((await read(file))?.claim === own.claim) await rm(file, { force: true })
      held.delete(own.claim)
    },
  }
}

export type Claim = AsyncDisposable & {
  /** Hears that another process has taken the folder over, as after this one was suspended for long. */
  onLost(callback: () => void): void
}

type Owner = { readonly pid: number; readonly host: string; readonly claim: string }

/**
 * Finds out whether a claim with our own process number and machine is that of an earlier life, or of a living process in
 * another container, where both are number 1: the living one touches it.
 */
async function outwaitNamesake(folder: string): Promise<void> {
  const file = join(folder, 'owner.json')
  const giveUpAtMs = Date.now() + 4 * beatMs
  for (let owner = await read(file); owner && isNamesake(owner); owner = await read(file)) {
    if ((await readSilence(file)) >= 3 * beatMs) return
    if (Date.now() >= giveUpAtMs) throw inUse(folder, owner)
    await wait(50)
  }
}

function isNamesake({ pid, host, claim }: Owner): boolean {
  return pid === process.pid && host === hostname() && !held.has(claim)
}

async function takeOver(folder: string, own: Owner): Promise<void> {
  const file = join(folder, 'owner.json')
  // Two that look at the same time would both find it free.
  await using _ = await acquireLock(join(folder, 'owner.lock'))
  await assertFree(file, folder)
  await writeWhole(file, JSON.stringify(own))
  held.add(own.claim)
}

async function assertFree(file: string, folder: string): Promise<void> {
  const owner = await read(file)
  if (!owner) return
  const silentMs = await readSilence(file)
  const isHere = owner.host === hostname()
  if (isHere && !isAlive(owner)) return
  if (silentMs < (isHere ? abandonedAfterMs : deadAfterMs)) throw inUse(folder, owner)
}

function inUse(folder: string, { pid, host }: Owner): Error {
  return new Error(
    `Cannot open the database in ${folder}: process ${pid} on ${host} has it open. Stop that one, or set DATABASE_URL to a PostgreSQL that several processes can share`,
  )
}

function isAlive({ pid, claim }: Owner): boolean {
  // A process number of ours may be that of an earlier life, as in containers.
  if (pid === process.pid) return held.has(claim)
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** How long ago a claim was touched, in milliseconds. */
async function readSilence(file: string): Promise<number> {
  return Date.now() - (await stat(file).catch(() => ({ mtimeMs: 0 }))).mtimeMs
}

async function read(file: string): Promise<Owner | undefined> {
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

async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${crypto.randomUUID()}`
  await writeFile(draft, text)
  await rename(draft, file)
}
