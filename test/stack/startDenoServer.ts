import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Settings } from '@agio/server'

const root = fileURLToPath(new URL('../..', import.meta.url))

// The command of the package is a script around the binary, and passes no signal on.
const deno = createRequire(new URL('../../package.json', import.meta.url)).resolve('deno/deno')

/** Starts the service under Deno, as a process of its own, by its environment variables. */
export async function startDenoServer(settings: Settings): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = spawn(deno, ['run', '--allow-all', 'packages/server/src/deno.ts'], {
    cwd: root,
    env: { ...process.env, ...toEnvironment(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^ready on (\S+)$/.exec(line)?.[1]
    if (url !== undefined) return { url, stop }
  }
  throw new Error('Cannot start the service under Deno: it ended before it was ready')
}

function toEnvironment({ rpcUrls, apiKeys, ...settings }: Settings): Record<string, string> {
  return {
    HOST: settings.host,
    PORT: String(settings.port),
    DEPLOYMENTS_DIR: settings.deploymentsDir,
    RPC_URL_84532: rpcUrls[84532].join(','),
    RPC_URL_421614: rpcUrls[421614].join(','),
    API_KEYS: apiKeys.map(({ name, secret }) => `${name}:${secret}`).join(','),
    CORS_ORIGINS: settings.corsOrigins === 'localhost' ? '' : settings.corsOrigins.join(','),
    LOG_LEVEL: settings.logLevel,
  }
}
