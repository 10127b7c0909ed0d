import { mkdir, mkdtempDisposable, readdir, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
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

describe.concurrent('the lock of a data directory', () => {
  it('of many concurrent locks of one folder exactly one succeeds', async ({ expect }) => {
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

  it('a folder can be locked after a crash in the middle of an earlier lock', async ({ expect }) => {
    await using place = await createEmptyFolder()
    await mkdir(join(place.path, 'owner.lock'))
    await using _ = await lockDataDir(place.path)
    expect(await readdir(place.path)).toEqual(['owner.json'])
  })

  it.for([
    ['a dead process of this machine', deadPid, here, 0],
    ['a process of this machine that has been silent for a minute', process.ppid, here, 61],
    ['a process of another machine that has been silent for five seconds', process.ppid, elsewhere, 6],
    ['an earlier process with the same process id', process.pid, here, 4],
  ] as const)('a folder that %s has locked can be locked at once', async ([, pid, host, silentSeconds], { expect }) => {
    await using place = await createEmptyFolder()
    await writeOwner(place.path, { pid, host, silentSeconds })
    await using _ = await lockDataDir(place.path)
    expect(await readdir(place.path)).toEqual(['owner.json'])
  })

  it.for([
    ['a living process of this machine', process.ppid, here, 30],
    ['a process of another machine that was alive seconds ago', deadPid, elsewhere, 2],
  ] as const)(
    'a folder that %s has locked cannot be locked, and the error names the process',
    async ([, pid, host, silentSeconds], { expect }) => {
      await using place = await createEmptyFolder()
      await writeOwner(place.path, { pid, host, silentSeconds })
      const message = `Cannot open the database in ${place.path}: process ${pid} on ${host} has it open.`
      await expect(lockDataDir(place.path)).rejects.toThrow(message)
    },
  )

  it('a process that may not check other processes decides by the heartbeat whether the owner of a folder lives', async ({
    expect,
  }) => {
    await using place = await createEmptyFolder()
    await writeOwner(place.path, { pid: uncheckedPid, host: here })
    const heartbeat = setInterval(() => void touchOwner(place.path, new Date()), 500)
    try {
      await expect(lockDataDir(place.path)).rejects.toThrow(`process ${uncheckedPid} on ${here} has it open`)
    } finally {
      clearInterval(heartbeat)
    }
    await using _ = await lockDataDir(place.path)
    expect(await readdir(place.path)).toEqual(['owner.json'])
  })

  it('a folder that a living process of another container with the same process id has locked cannot be locked', async ({
    expect,
  }) => {
    await using place = await createEmptyFolder()
    await writeOwner(place.path, { pid: process.pid, host: here })
    const heartbeat = setInterval(() => void touchOwner(place.path, new Date()), 500)
    try {
      await expect(lockDataDir(place.path)).rejects.toThrow(`process ${process.pid} on ${here} has it open`)
    } finally {
      clearInterval(heartbeat)
    }
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
