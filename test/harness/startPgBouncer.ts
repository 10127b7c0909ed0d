import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { findFreePort } from './findFreePort.ts'
import { getBinary } from './findServices.ts'
import { killOnExit } from './killOnExit.ts'

/** Starts PgBouncer before a database, by default in transaction mode, with two connections to its server. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'transaction' | 'statement' = 'transaction',
): Promise<AsyncDisposable & { readonly url: string }> {
  const { hostname, port: serverPort, username, pathname } = new URL(databaseUrl)
  const port = await findFreePort()
  const folder = await mkdtemp(join(tmpdir(), 'agio-pgbouncer-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 2',
    'max_client_conn = 500',
  ]
  await writeFile(file, lines.join('\n'))
  // PgBouncer refuses to run as root.
  const account = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const bouncer = spawn(getBinary('pgbouncer'), [...account, file], { stdio: 'ignore' })
  killOnExit(bouncer)
  const exited = once(bouncer, 'exit')
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`
  while (bouncer.exitCode === null && !(await canConnect(url))) await wait(20)
  if (bouncer.exitCode !== null) throw new Error('Cannot start PgBouncer: it exited before it was ready')
  return {
    url,
    async [Symbol.asyncDispose]() {
      bouncer.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function canConnect(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
