import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const beatMs = 1000
// A claim that was not renewed for so long is a dead process's, unless that process can be seen to live.
const deadAfterMs = 5000
const abandonedAfterMs = 60_000

/**
 * Claims a folder for this process. The claim is a file that names its owner and is touched every second, so that a
 * process which was killed leaves nothing behind that has to be cleaned up by hand.
 *
 * @throws `Error` that names the owner, if there is one
 */
export async function claimFolder(folder: string): Promise<Claim> {
  const file = join(folder, 'owner.json')
  const own = { pid: process.pid, host: hostname(), claim: crypto.randomUUID() }
  await assertFree(file, folder)
  await writeWhole(file, JSON.stringify(own))
  if ((await read(file))?.claim !== own.claim) throw inUse(folder, await read(file))

  let onLost = () => {}
  const timer = setInterval(() => void beat(), beatMs)
  async function beat(): Promise<void> {
    if ((await read(file))?.claim === own.claim) return await touch(file)
    clearInterval(timer)
    onLost()
  }
  return {
    onLost: (callback) => (onLost = callback),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      if ((await read(file))?.claim === own.claim) await rm(file, { force: true })
    },
  }
}

export type Claim = AsyncDisposable & {
  /** Hears that another process has taken the folder over, as after this one was suspended for long. */
  onLost(callback: () => void): void
}

type Owner = { readonly pid: number; readonly host: string; readonly claim: string }

async function assertFree(file: string, folder: string): Promise<void> {
  const owner = await read(file)
  if (!owner) return
  const silentMs = Date.now() - (await stat(file).catch(() => ({ mtimeMs: 0 }))).mtimeMs
  const isHere = owner.host === hostname()
  // A process number of ours is that of an earlier life, as in containers.
  if (isHere && (owner.pid === process.pid || !isRunning(owner.pid))) return
  if (silentMs < (isHere ? abandonedAfterMs : deadAfterMs)) throw inUse(folder, owner)
}

function inUse(folder: string, owner: Owner | undefined): Error {
  const name = owner ? `process ${owner.pid} on ${owner.host}` : 'another process'
  return new Error(
    `Cannot open the database in ${folder}: ${name} has it open. Stop that one, or set DATABASE_URL to a PostgreSQL that several processes can share`,
  )
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
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
