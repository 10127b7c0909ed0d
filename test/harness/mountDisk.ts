import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const execute = promisify(execFile)

/** Mounts a disk in memory, which a test can fill. It needs the rights to mount, or sudo without a password. */
export async function mountDisk(megabytes: number) {
  const path = await mkdtemp(join(inject('diskFolder'), 'agio-disk-'))
  const owner = `uid=${process.getuid?.() ?? 0},gid=${process.getgid?.() ?? 0}`
  await runAsRoot('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700,${owner}`, 'tmpfs', path)
  const filler = join(path, 'filler')
  return {
    path,
    /** Uses all free space. */
    async fill() {
      const isFull = (error: NodeJS.ErrnoException) => error.code === 'ENOSPC'
      const append = () => appendFile(filler, Buffer.alloc(64 * 1024)).then(() => false, isFull)
      let isDone = false
      while (!isDone) isDone = await append()
    },
    /** Gives the space back. */
    free: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      // Lazily, since a program that a failed test left running may use it.
      await runAsRoot('umount', '-l', path)
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** Whether `mountDisk` works for this user. */
export async function canMountDisk(): Promise<boolean> {
  return await mountDisk(1).then(
    (disk) => disk[Symbol.asyncDispose]().then(() => true),
    () => false,
  )
}

async function runAsRoot(...command: readonly [string, ...string[]]): Promise<void> {
  const [program, ...args] = process.getuid?.() === 0 ? command : (['sudo', '-n', ...command] as const)
  await execute(program, args)
}
