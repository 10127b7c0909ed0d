import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { findFreePort } from './findFreePort.ts'
import { canConnect, getBinary } from './findServices.ts'
import { killOnExit } from './killOnExit.ts'

const run = promisify(execFile)

/** Starts a PostgreSQL with an empty cluster on a free port; disposal removes its folder. */
export async function startPostgres() {
  await using starting = new AsyncDisposableStack()
  const account = await findAccount()
  const folder = await mkdtemp(join(tmpdir(), 'agio-postgres-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  if (account) await chown(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const cluster = ['-D', data, '-U', 'agio', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  await run(getBinary('initdb'), cluster, { ...account, cwd: folder })
  const port = await findFreePort()
  const url = `postgres://agio@127.0.0.1:${port}/postgres`
  const settings = ['listen_addresses=127.0.0.1', 'fsync=off', 'logging_collector=off', 'max_connections=100']
  const args = ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])]

  let server: ChildProcess | undefined
  async function start(): Promise<void> {
    if (server) return
    // In a process group of its own, so that a signal to the group of the tests neither pauses nor resumes it.
    server = spawn(getBinary('postgres'), args, { ...account, cwd: folder, stdio: 'ignore', detached: true })
    killOnExit(server, 'SIGQUIT')
    await untilReady(url, server)
  }
  async function stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if (!server) return
    const exited = once(server, 'exit')
    await signalAll(server, 'SIGCONT')
    server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await exited
    server = undefined
  }
  starting.defer(() => stop('immediate'))
  await start()
  const running = starting.move()
  return {
    /** The URL of its database `postgres`. */
    url,
    /** Restarts it on the same port, with its data. */
    start,
    /** Stops it: `fast` closes all connections in an orderly way, `immediate` is a crash. */
    stop,
    /** Suspends it, with all its connections open. */
    pause: () => signalAll(server, 'SIGSTOP'),
    resume: () => signalAll(server, 'SIGCONT'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type TestPostgres = Awaited<ReturnType<typeof startPostgres>>

type Account = { readonly uid: number; readonly gid: number }

// PostgreSQL refuses to run as root.
async function findAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const read = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await read('-u'), gid: await read('-g') }
}

async function untilReady(connectionString: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null && server.signalCode === null) {
    if (await canConnect(connectionString)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('Cannot start PostgreSQL: it exited before it was ready')
}

// Each connection has a process in its own group. The parent comes first.
async function signalAll(server: ChildProcess | undefined, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const pid = server?.pid
  if (pid === undefined) return
  process.kill(pid, signal)
  const { stdout } = await run('ps', ['--ppid', String(pid), '-o', 'pid=']).catch(() => ({ stdout: '' }))
  for (const child of stdout.split('\n').filter(Boolean)) {
    try {
      process.kill(Number(child), signal)
    } catch {
      // It has exited in the meantime.
    }
  }
}
