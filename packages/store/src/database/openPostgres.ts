import { Socket } from 'node:net'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client, Pool } from 'pg'
import type { Database } from './Database.ts'
import { migrationsFolder } from './migrationsFolder.ts'

// Any number, the same in every process that migrates.
const migrationLock = 2_108_453_242

const connectTimeoutMs = 2000
const queryTimeoutMs = 5000
// A server that hangs does not answer a good-bye either.
const closeTimeoutMs = 1000

/**
 * Connects to PostgreSQL. Several processes may start together on an empty database: one migrates, the others wait for it.
 *
 * @throws `Error` that holds neither the URL nor its password
 */
export async function openPostgres(url: string): Promise<Database> {
  await migrateAlone(url)
  const sockets = new Set<Socket>()
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    stream: () => track(sockets),
  })
  // A connection that breaks is replaced by the next query. Unheard, it would end the process, idle or in use.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return {
    db: drizzle(pool),
    async transact(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const value = await work(drizzle(client))
        await client.query('commit')
        client.release()
        return value
      } catch (error) {
        // It may still be busy with what was not waited for, or within the transaction: nobody else may get it.
        client.release(true)
        throw error
      }
    },
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

async function migrateAlone(url: string): Promise<void> {
  const client = createClient(url)
  try {
    await client.connect()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw toFailure(`it cannot be reached (${code ?? 'no answer'})`, cause)
  }
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle(client), { migrationsFolder })
  } catch (cause) {
    throw toFailure('its schema cannot be brought up to date', cause)
  } finally {
    // The lock ends with the connection.
    await client.end()
  }
}

function createClient(url: string): Client {
  try {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
    return client.on('error', () => {})
  } catch (cause) {
    throw toFailure('that is not the URL of one', cause)
  }
}

function toFailure(state: string, cause: unknown): Error {
  return new Error(`Cannot open the database of DATABASE_URL: ${state}`, { cause })
}
