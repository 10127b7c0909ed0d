import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { openStore } from '@agio/store'
import { killOnExit } from '../harness/killOnExit.ts'

const program = fileURLToPath(new URL('countForever.ts', import.meta.url))

/** The month that every call is counted in. */
export const countedIn = '2026-01'

/** Starts a child process that counts calls of one key, and records how many it has counted and written. */
export async function startCounting(location: openStore.Options['location'], keyId = 'key_counted') {
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'agio-counting-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  // A file, because a pipe loses its buffer with the process.
  const output = await open(join(folder, 'counts'), 'w')
  const args = [program, JSON.stringify(location), keyId, String(Date.UTC(2026, 0, 15))]
  const child = spawn(process.execPath, args, { stdio: ['ignore', output.fd, 'inherit'] })
  killOnExit(child)
  const ended = once(child, 'exit')
  await output.close()
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  starting.defer(() => end('SIGKILL'))

  async function readCounts(): Promise<readonly Count[]> {
    const lines = (await readFile(join(folder, 'counts'), 'utf8')).split('\n').slice(0, -1)
    return lines.map((line) => {
      const [total = Number.NaN, written = Number.NaN] = line.split(' ').map(Number)
      return { total, written }
    })
  }
  async function waitForBatches(batches: number): Promise<void> {
    for (;;) {
      const counts = await readCounts()
      if (counts.length > 0 && new Set(counts.map(({ written }) => written)).size > batches) return
      if (child.exitCode !== null) throw new Error(`Cannot count: the process has ended with code ${child.exitCode}`)
      await wait(10)
    }
  }
  await waitForBatches(0)
  const running = starting.move()
  return {
    pid: child.pid ?? 0,
    /** Every count that it has recorded, in order. */
    readCounts,
    /** Waits until it knows of so many batches that they are written. */
    waitForBatches,
    /** Sends SIGTERM, and waits for the process to exit. @throws `Error` if it fails */
    async stop() {
      await end('SIGTERM')
      if (child.exitCode !== 0) throw new Error(`The process has ended with code ${child.exitCode}`)
    },
    /** Kills the process, as a crash would. */
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** How many calls it has counted, and how many of them it knew to be written. */
type Count = { readonly total: number; readonly written: number }
