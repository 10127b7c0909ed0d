import { Socket } from 'node:net'
import { Async } from '@agio/core'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, Pool, type PoolClient } from 'pg'
import { withTimeout } from '../response/withTimeout.ts'
import { unobserved, type Database, type ObserveQuery } from './Database.ts'
import { migratePostgres } from './migratePostgres.ts'
import { findPostgresSentence, findSqlState } from './toStorageError.ts'

const connectTimeoutMs = 2000
const queryTimeoutMs = 5000
// Of several statements that change the same rows, one succeeds in each attempt.
const maxAttempts = 20
// A hung server does not close connections.
const closeTimeoutMs = 1000

/**
 * The settings of each session. They make PostgreSQL write times in one form, whatever the settings of the database and the role
 * are. PgBouncer accepts them in the startup message and restores them with each change of the server connection. A `set` would
 * apply to the connection of another client.
 */
const sessionSettings = { DateStyle: 'ISO, MDY', TimeZone: 'UTC', standard_conforming_strings: 'on' }

/**
 * A client of PostgreSQL whose sessions do not depend on the settings of the database and the role. It connects within a time limit
 * that does not count how long this process stands still. The time limits of `pg` do.
 */
class PostgresClient extends Client {
  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(...parameters: readonly []): Promise<Client> {
    const toError = () => new Error(`Cannot use the connection: it did not open within ${connectTimeoutMs} ms`)
    const cancel = Async.startTimeLimit(connectTimeoutMs, () => this.connection.stream.destroy(toError()))
    this.once('connect', cancel).once('end', cancel)
    return super.connect(...parameters)
  }

  /** Returns the parameters of the startup message; called by `pg`. */
  getStartupConf(): Record<string, string> {
    const { getStartupConf } = Client.prototype as unknown as Pick<PostgresClient, 'getStartupConf'>
    return { ...getStartupConf.call(this), ...sessionSettings }
  }
}

/**
 * Connects to PostgreSQL and migrates the schema.
 *
 * @throws `Error` with a message that contains neither the URL nor its password
 */
export async function openPostgres(
  url: string,
  options: migratePostgres.Options = {},
  observe: ObserveQuery = unobserved,
): Promise<Database> {
  await migrateUrl(url, options)
  const sockets = new Set<Socket>()
  const pool = new Pool({
    Client: PostgresClient,
    connectionString: url,
    max: 10,
    keepAlive: true,
    stream: () => track(sockets),
  })
  // The next query replaces a broken connection. Without a listener, the error of the connection would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  /** Returns a connection of the pool, which the caller releases. */
  async function connect(): Promise<PoolClient> {
    const connecting = pool.connect()
    return await withTimeout(connecting, connectTimeoutMs).catch((error: unknown) => {
      void connecting.then((client) => client.release()).catch(() => {})
      throw error
    })
  }
  /** Runs work on a connection of the pool. */
  async function use<Value>(work: (client: Pick<PoolClient, 'query'>) => Promise<Value>): Promise<Value> {
    const client = await connect()
    const query = (...statement: [string, unknown[]?]) => withTimeout(client.query(...statement), queryTimeoutMs)
    try {
      const value = await work({ query } as PoolClient)
      client.release()
      return value
    } catch (error) {
      // The connection may be running a query or a transaction, so the pool must not reuse it.
      client.release(true)
      throw error
    }
  }
  /** Runs a statement. A database may run each statement `serializable`, and then refuses one of two that change the same rows. */
  async function query(...statement: [string, unknown[]?]) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await use((client) => client.query(...statement))
      } catch (error) {
        if (attempt === maxAttempts || findSqlState(error) !== '40001') throw error
      }
    }
  }
  return {
    // Each query may use another connection. Only `transact` keeps one, so no code calls `db.transaction`.
    db: drizzle({
      query: (...statement: Parameters<typeof query>) => observe('query', () => query(...statement)),
    } as Pool),
    async transact(work) {
      const run = async (client: Pick<PoolClient, 'query'>) => {
        await client.query('begin isolation level read committed')
        const value = await work(drizzle(client as PoolClient))
        await client.query('commit')
        return value
      }
      return await observe('transaction', () => use(run))
    },
    countConnections() {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool
      return { busy: totalCount - idle, idle, waiting }
    },
    // A server reports a full disk when a write fails.
    assertWritable: async () => {},
    async close() {
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, closeTimeoutMs)
      await Promise.all([pool.end(), ...closed])
      clearTimeout(timer)
    },
  }
}

function track(sockets: Set<Socket>): Socket {
  const socket = new Socket()
  sockets.add(socket)
  return socket.once('close', () => sockets.delete(socket))
}

/**
 * Migrates the schema of a PostgreSQL database, and closes the connection.
 *
 * @throws `Error` with a message that contains neither the URL nor its password
 */
export async function migrateUrl(url: string, options: migratePostgres.Options = {}): Promise<void> {
  const client = await connectClient(url)
  try {
    await migratePostgres(client, options)
  } catch (cause) {
    const sentence = findPostgresSentence(cause)
    const isOwn = sentence === undefined && cause instanceof Error
    throw toOpenError(isOwn ? cause.message : `its schema cannot be read or migrated (${sentence})`, cause)
  } finally {
    // The server ends the transaction and its locks with the connection. A hung server does not answer.
    await withTimeout(client.end(), closeTimeoutMs).catch(() => {})
  }
}

async function connectClient(url: string): Promise<PostgresClient> {
  const client = createClient(url)
  try {
    await client.connect()
    return client
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw toOpenError(`it cannot be reached (${findPostgresSentence(cause) ?? code ?? 'no response'})`, cause)
  }
}

function createClient(url: string): PostgresClient {
  try {
    const client = new PostgresClient({ connectionString: url })
    return client.on('error', () => {})
  } catch (cause) {
    throw toOpenError('it is not a PostgreSQL URL', cause)
  }
}

function toOpenError(state: string, cause: unknown): Error {
  return new Error(`Cannot open the database of DATABASE_URL: ${state}`, { cause })
}
