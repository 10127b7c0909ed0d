import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import type { BrokenOutput } from './brokenOutputs.ts'
import { killOnExit } from '../harness/killOnExit.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a command that serves the API, with a standard output that may fail. */
export function startWithOutput(
  command: readonly string[],
  { stdio }: Pick<BrokenOutput, 'stdio'>,
  options: Options,
): LoggingProcess {
  const { url, keys, env } = options
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', stdio, 'ignore'] })
  killOnExit(child)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    return await exited
  }
  const get = async (path: string) => {
    const response = await request(`${url}${path}`, { headers: keys })
    return { status: response.statusCode, text: await response.body.text() }
  }
  return {
    get,
    async fillLog() {
      const path = `/api/v1/${'x'.repeat(10_000)}`
      for (let sent = 0; sent < 600; sent += 20) await Promise.all(Array.from({ length: 20 }, () => get(path)))
    },
    async countDropped() {
      return Number(/^agio_log_lines_dropped_total (\d+)$/m.exec((await get('/metrics')).text)?.[1])
    },
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}

type Options = {
  /** Where the command serves. */
  readonly url: string
  /** The headers of the API key and of the admin key. */
  readonly keys: Readonly<Record<'x-api-key' | 'x-admin-key', string>>
  readonly env: Readonly<Record<string, string>>
}

export type LoggingProcess = AsyncDisposable & {
  get(path: string): Promise<{ readonly status: number; readonly text: string }>
  /** Sends requests whose log lines take more than the buffer and any pipe hold. */
  fillLog(): Promise<void>
  /** The number of dropped lines in the metrics. */
  countDropped(): Promise<number>
  /** Sends SIGTERM. Returns the exit code, or null if a signal has killed the process. */
  stop(): Promise<number | null>
}
