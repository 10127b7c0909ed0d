import process from 'node:process'
import { findFreePort } from './findFreePort.ts'
import { canConnect } from './findServices.ts'
import { startConfigured } from './startConfigured.ts'

/** Starts PgBouncer before a database, by default in transaction mode, with two connections to its server. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'transaction' | 'statement' = 'transaction',
): Promise<AsyncDisposable & { readonly url: string }> {
  const { hostname, port: serverPort, username, pathname } = new URL(databaseUrl)
  const port = await findFreePort()
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`
  // PgBouncer refuses to run as root.
  const account = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const bouncer = await startConfigured('pgbouncer', {
    toConfig: () => [
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
    ],
    toArguments: (file) => [...account, file],
    isReady: () => canConnect(url),
  })
  return { url, ...bouncer }
}
