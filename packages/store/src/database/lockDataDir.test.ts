import { mkdir, mkdtempDisposable, readdir, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { lockDataDir } from './lockDataDir.ts'

const deadPid = 2 ** 22 + 1
// As on Deno without the permission to run programs.
const uncheckedPid = deadPid + 1
const kill = process.kill.bind(process)
beforeAll(() => {
  process.kill = (pid, signal) => {
    if (pid === uncheckedPid) throw new Error('Requires run access')
    return kill(pid, signal)
  }
})
afterAll(() => {
  process.kill = kill
})

const elsewhere = 'another-machine'
const here = hostname()

describe('the lock of a data directory', () => {
  it('of many concurrent locks of one folder exactly one succeeds', async () => {
    await using place = await createEmptyFolder()
    await writeOwner(place.path, { pid: deadPid, host: here })
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, async (_, index) => {
        await wait(index % 20)
        return await lockDataDir(place.path)
      }),
    )
    const [lock, ...more] = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(more).toEqual([])
    await lock?.[Symbol.asyncDispose]()
    expect(await readdir(place.path)).toEqual([])
  })

  it('a folder can be locked after a crash in the middle of an earlier lock', async () => {
    await using place = await createEmptyFolder()
    const left = join(place.path, 'owner.lock')
    await mkdir(left)
    const threeSecondsAgo = new Date(Date.now() - 3000)
    await utimes(left, threeSecondsAgo, threeSecondsAgo)
    await using _ = await lockDataDir(place.path)
    expect(await readdir(place.path)).toEqual(['owner.json'])
  })
})

describe('the lock of a data directory that has an owner', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it.each([
    ['a dead process of this machine', deadPid, here, 0],
    ['a process of this machine that has been silent for a minute', process.ppid, here, 61],
    ['a process of another machine that has been silent for five seconds', process.ppid, elsewhere, 6],
    ['an earlier process with the same process id', process.pid, here, 4],
  ] as const)('a folder that %s has locked can be locked at once', async (_, pid, host, silentSeconds) => {
    await using place = await createEmptyFolder()
    await writeOwner(place.path, { pid, host, silentSeconds })
    await using __ = await lockDataDir(place.path)
    expect(await readdir(place.path)).toEqual(['owner.json'])
  })

  it.each([
    ['a living process of this machine', process.ppid, here, 30],
    ['a process of another machine that was alive seconds ago', deadPid, elsewhere, 2],
  ] as const)(
    'a folder that %s has locked cannot be locked, and the error names the process',
    async (_, pid, host, silentSeconds) => {
      await using place = await createEmptyFolder()
      await writeOwner(place.path, { pid, host, silentSeconds })
      const message = `Cannot open the database in ${place.path}: process ${pid} on ${host} has it open.`
      await expect(lockDataDir(place.path)).rejects.toThrow(message)
    },
  )

  it.each([
    ['a process that this one may not check', uncheckedPid],
    ['a process of another container with the same process id', process.pid],
  ])('a folder that %s has locked can be locked once it has no heartbeat', async (_, pid) => {
    await using place = await createEmptyFolder()
    await writeOwner(place.path, { pid, host: here })
    const refused = lockDataDir(place.path).catch(String)
    // The process looks for a heartbeat for four seconds.
    for (let beat = 0; beat < 8; beat += 1) {
      vi.setSystemTime(Date.now() + 500)
      await touchOwner(place.path, new Date())
      await wait(1)
    }
    expect(await refused).toContain(`process ${pid} on ${here} has it open`)
    vi.setSystemTime(Date.now() + 3000)
    await using __ = await lockDataDir(place.path)
    expect(await readdir(place.path)).toEqual(['owner.json'])
  })
})

function createEmptyFolder() {
  return mkdtempDisposable(join(tmpdir(), 'agio-lock-'))
}

/** Writes the lock of another process, with a heartbeat some seconds ago. */
async function writeOwner(
  folder: string,
  { pid, host, silentSeconds = 0 }: { pid: number; host: string; silentSeconds?: number },
): Promise<void> {
  await writeFile(join(folder, 'owner.json'), JSON.stringify({ pid, host, claim: 'other' }))
  await touchOwner(folder, new Date(Date.now() - silentSeconds * 1000))
}

async function touchOwner(folder: string, at: Date): Promise<void> {
  await utimes(join(folder, 'owner.json'), at, at)
}
