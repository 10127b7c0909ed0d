import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Network, Operator } from '@agio/core'
import { serviceSettings, toDenoCommand, type Settings } from '@agio/server'
import packageJson from '../../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts the service in a child process, by its environment variables and further ones. @throws `Error` if it exits before it is ready */
export async function startServerProcess(
  settings: Settings,
  runtime: Runtime,
  variables: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const env = { ...toEnvironment(settings), ...variables }
  return await startServiceIn(root, toServerCommand(runtime, settings), env)
}

/** Starts a service in a folder by a command. @throws `Error` if it exits before it is ready */
export async function startServiceIn(
  folder: string,
  [command, ...args]: readonly [string, ...string[]],
  variables: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const lines: string[] = []
  const url = new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      lines.push(line)
      const found = /^ready (?:\(.*\) )?on (\S+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    }
    createInterface({ input: child.stdout }).on('line', read)
    createInterface({ input: child.stderr }).on('line', read)
    child.once('close', () =>
      reject(new Error(`Cannot start the service by ${command} in ${folder}: ${lines.join('\n')}`)),
    )
  })
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await exited
  }
  const publicUrl = await url
  return {
    url: publicUrl,
    adminUrl: /^Operators: (\S+)$/m.exec(lines.join('\n'))?.[1] ?? publicUrl,
    pid: child.pid as number,
    exited,
    lines,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}

export type ServerProcess = AsyncDisposable & {
  readonly url: string
  /** The URL of the port for operators: of ADMIN_PORT if it is set, otherwise `url`. */
  readonly adminUrl: string
  readonly pid: number
  /** Resolves to its exit code, or to null if a signal has killed it. */
  readonly exited: Promise<number | null>
  /** The lines that it has written to stdout and stderr. */
  readonly lines: readonly string[]
  /** Sends SIGTERM, and waits until it has exited. */
  stop(): Promise<void>
  /** Kills it. */
  kill(): Promise<void>
}

export type Runtime = 'Node' | 'Deno'

// The arguments of `pnpm serve`, whose first word is the program.
const [, ...serveArguments] = packageJson.scripts.serve.split(' ')

/** Returns the command that starts the service with these settings, in the root of the repository. */
export function toServerCommand(runtime: Runtime, settings: Settings): readonly [string, ...string[]] {
  return runtime === 'Node' ? [process.execPath, ...serveArguments] : toDenoCommand(settings)
}

/** The environment variables that yield the given settings. */
export function toEnvironment(given: Settings): Record<string, string> {
  const { rpcUrls, consoleDir, presetKeys: _, adminKeys = [], ...settings } = given
  const nodes = Object.fromEntries(Network.chainIds.map((chainId) => [`rpcUrl${chainId}`, rpcUrls[chainId]]))
  const console = consoleDir === undefined ? 'off' : 'on'
  const operators = adminKeys.map(Operator.format).join('\n')
  const values: Readonly<Record<string, Parameters<typeof toText>[0]>> = {
    ...settings,
    ...nodes,
    adminKeys: operators,
    console,
    consoleDir,
  }
  return Object.fromEntries(Object.entries(serviceSettings).map(([name, { env }]) => [env, toText(values[name])]))
}

/** The text of a setting. Lists are separated by commas. */
function toText(value: string | number | readonly (string | number)[] = ''): string {
  return [value].flat().join(',')
}
