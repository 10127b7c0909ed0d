import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Network } from '@agio/core'
import { killOnExit } from '../../harness/killOnExit.ts'

/** Returns the environment of a user who has this Node, an empty home and an own folder of temporary files. */
export async function createEnvironment(node: string, folder: string): Promise<Record<string, string>> {
  const home = await mkdtemp(join(folder, 'home-'))
  const temporary = await mkdtemp(join(folder, 'tmp-'))
  const path = [dirname(node), process.env['PATH'] ?? ''].join(delimiter)
  const registry = process.env['npm_config_registry']
  return {
    PATH: path,
    HOME: home,
    XDG_STATE_HOME: home,
    // npm would keep its compiled modules among the temporary files.
    NODE_DISABLE_COMPILE_CACHE: '1',
    TMPDIR: temporary,
    npm_config_cache: join(home, '.npm'),
    ...(registry !== undefined && { npm_config_registry: registry }),
  }
}

/** Runs `npx --no-install agio dev --json` on free ports until it is ready. @throws `Error` if it ends before */
export async function startDev(cwd: string, env: Readonly<Record<string, string>>): Promise<InstalledStack> {
  const startedAt = performance.now()
  const args = ['--no-install', 'agio', 'dev', '--json', '--port', '0', '--rpc-port', '0']
  // As in a terminal, npx and its children are one group of processes.
  const child = spawn('npx', args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  killOnExit(child)
  const closed = once(child.stdout, 'close')
  let ready: Ready | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as Partial<Ready>
    if (event.url !== undefined && event.pid !== undefined) {
      ready = event as Ready
      break
    }
  }
  if (!ready) throw new Error('Cannot test agio dev: it has ended')
  child.stdout.resume()
  return {
    ...ready,
    readyMs: performance.now() - startedAt,
    async stop(signal) {
      process.kill(signal === 'SIGINT' ? -(child.pid ?? 0) : (child.pid ?? 0), signal)
      // The command holds the pipe until it has ended.
      await closed
      return await readdir(env['TMPDIR'] ?? '')
    },
    async [Symbol.asyncDispose]() {
      if (!child.stdout.closed) process.kill(-(child.pid ?? 0), 'SIGKILL')
    },
  }
}

type Ready = {
  readonly url: string
  readonly pid: number
  readonly rpcUrls: Readonly<Record<Network.ChainId, string>>
}

/** A running `agio dev` of an installed package. Disposing it kills it. */
export type InstalledStack = Ready &
  AsyncDisposable & {
    readonly readyMs: number
    /**
     * Stops the command: SIGINT reaches the group, like Ctrl-C, and SIGTERM only `npx`. Returns the temporary files that remain.
     */
    stop(signal: 'SIGINT' | 'SIGTERM'): Promise<readonly string[]>
  }
