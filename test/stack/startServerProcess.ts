import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Settings } from '@agio/server'
import { serverCommands } from './serverCommands.ts'
import { toEnvironment } from './toEnvironment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts the service in a child process, by its environment variables. @throws `Error` if it exits before it is ready */
export async function startServerProcess(
  settings: Settings,
  runtime: keyof typeof serverCommands,
): Promise<ServerProcess> {
  const [command, ...args] = serverCommands[runtime]
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...toEnvironment(settings) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  const url = new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      lines.push(line)
      const found = /^ready (?:\(.*\) )?on (\S+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    }
    createInterface({ input: child.stdout }).on('line', read)
    createInterface({ input: child.stderr }).on('line', read)
    child.once('close', () => reject(new Error(`Cannot start the service on ${runtime}: ${lines.join('\n')}`)))
  })
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await exited
  }
  return {
    url: await url,
    lines,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}

export type ServerProcess = AsyncDisposable & {
  readonly url: string
  /** The lines that it has written to stdout and stderr. */
  readonly lines: readonly string[]
  /** Sends SIGTERM, and waits until it has exited. */
  stop(): Promise<void>
  /** Kills it. */
  kill(): Promise<void>
}
