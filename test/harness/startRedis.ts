import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from './findFreePort.ts'
import { getBinary } from './findServices.ts'
import { killOnExit } from './killOnExit.ts'

/**
 * Starts a Redis without persistence on a free port.
 *
 * @param options more command line options, such as `--requirepass`
 */
export async function startRedis(...options: readonly string[]) {
  const binary = getBinary('redis-server')
  const port = await findFreePort()
  const folder = await mkdtemp(join(tmpdir(), 'agio-redis-'))
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
  let running: ChildProcess | undefined
  async function start(): Promise<void> {
    running ??= await startProcess(binary, [...args, ...options])
  }
  async function stop(): Promise<void> {
    const stopping = running
    running = undefined
    if (stopping?.kill('SIGKILL')) await once(stopping, 'exit')
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    /** Restarts it empty, on the same port. */
    start,
    /** Kills it. */
    stop,
    /** Suspends it, with all its connections open. */
    pause: () => running?.kill('SIGSTOP'),
    resume: () => running?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type TestRedis = Awaited<ReturnType<typeof startRedis>>

async function startProcess(binary: string, args: readonly string[]): Promise<ChildProcess> {
  // In a process group of its own, so that a signal to the group of the tests neither pauses nor resumes it.
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  killOnExit(child)
  await new Promise<void>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => line.includes('Ready to accept connections') && resolve())
    lines.once('close', () => reject(new Error('Cannot start Redis: it exited before it was ready')))
  })
  return child
}
