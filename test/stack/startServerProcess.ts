import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Settings } from '@agio/server'

const root = fileURLToPath(new URL('../..', import.meta.url))

// The command of the package is a script around the binary, and passes no signal on.
const deno = createRequire(new URL('../../package.json', import.meta.url)).resolve('deno/deno')

const commands = {
  Node: [process.execPath, 'packages/server/src/node.ts'],
  Deno: [deno, 'run', '--allow-all', 'packages/server/src/deno.ts'],
} as const

/** Starts the service as a process of its own, by its environment variables. @throws `Error` if it ends before it is ready */
export async function startServerProcess(settings: Settings, runtime: keyof typeof commands): Promise<ServerProcess> {
  const [command, ...args] = commands[runtime]
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
      const found = /^ready on (\S+)$/.exec(line)?.[1]
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
  /** All that it has written, to either output. */
  readonly lines: readonly string[]
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
}

function toEnvironment({ rpcUrls, ...settings }: Settings): Record<string, string> {
  return {
    HOST: settings.host,
    PORT: String(settings.port),
    DEPLOYMENTS_DIR: settings.deploymentsDir,
    RPC_URL_84532: rpcUrls[84532].join(','),
    RPC_URL_421614: rpcUrls[421614].join(','),
    DATABASE_URL: settings.databaseUrl ?? '',
    DATA_DIR: settings.dataDir,
    REDIS_URL: settings.redisUrl ?? '',
    ADMIN_KEY: settings.adminKey ?? '',
    SERVICE_PHASE: settings.phase,
    TRUST_PROXY: String(settings.trustedProxies),
    METRICS_PORT: settings.metricsPort === undefined ? '' : String(settings.metricsPort),
    CORS_ORIGINS: settings.corsOrigins === 'localhost' ? '' : settings.corsOrigins.join(','),
    LOG_LEVEL: settings.logLevel,
    BROADCAST_WAIT_MS: String(settings.broadcastWaitMs),
    SNAPSHOT_MAX_AGE_MS: String(settings.snapshotMaxAgeMs),
  }
}
