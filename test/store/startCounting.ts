import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { openStore } from '@agio/store'
import { endWithUs } from '../stack/endWithUs.ts'

const program = fileURLToPath(new URL('countForever.ts', import.meta.url))

/** The month that all is counted in, whatever the time. */
export const countedIn = '2026-01'

/** Starts a process of its own that counts calls of one key, and writes down how many it has counted, and when. */
export async function startCounting(
  location: openStore.Settings['location'],
  keyId = 'key_counted',
): Promise<Counting> {
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'agio-counting-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  // A file, because what waits in a pipe can be lost with the process.
  const output = await open(join(folder, 'counts'), 'w')
  const args = [program, JSON.stringify(location), keyId, String(Date.UTC(2026, 0, 15))]
  const child = spawn(process.execPath, args, { stdio: ['ignore', output.fd, 'inherit'] })
  endWithUs(child)
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
      const [atMs = Number.NaN, total = Number.NaN] = line.split(' ').map(Number)
      return { atMs, total }
    })
  }
  async function untilCountedFor(durationMs: number): Promise<void> {
    for (;;) {
      const counts = await readCounts()
      if ((counts.at(-1)?.atMs ?? 0) - (counts[0]?.atMs ?? 0) > durationMs) return
      if (child.exitCode !== null) throw new Error(`Cannot count: the process has ended with code ${child.exitCode}`)
      await wait(10)
    }
  }
  await untilCountedFor(0)
  const running = starting.move()
  return {
    pid: child.pid ?? 0,
    readCounts,
    untilCountedFor,
    async stop() {
      await end('SIGTERM')
      if (child.exitCode !== 0) throw new Error(`The process has ended with code ${child.exitCode}`)
    },
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type Counting = AsyncDisposable & {
  readonly pid: number
  /** What it has counted until when. */
  readCounts(): Promise<readonly Count[]>
  /** Waits until it has counted for so long. */
  untilCountedFor(durationMs: number): Promise<void>
  /** Tells it to stop, and waits until it has ended. @throws `Error` if it fails */
  stop(): Promise<void>
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
}

type Count = { readonly atMs: number; readonly total: number }
