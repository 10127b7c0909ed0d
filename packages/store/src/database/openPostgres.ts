import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client, Pool } from 'pg'
import type { Database } from './Database.ts'
import { migrationsFolder } from './migrationsFolder.ts'

// Any number, the same in every process that migrates.
const migrationLock = 2_108_453_242

const connectTimeoutMs = 2000
const queryTimeoutMs = 5000

/**
 * Connects to PostgreSQL. Several processes may start together on an empty database: one migrates, the others wait for it.
 *
 * @throws `Error` that holds neither the URL nor its password
 */
export async function openPostgres(url: string): Promise<Database> {
  await migrateAlone(url)
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
  })
  // A connection that breaks while it is idle is replaced by the next query; unheard, it would end the process.
  pool.on('error', () => {})
  return { db: drizzle(pool), close: () => pool.end() }
}

async function migrateAlone(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`Cannot open the database of DATABASE_URL: it cannot be reached (${code ?? 'no answer'})`, {
      cause,
    })
  }
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle(client), { migrationsFolder })
  } catch (cause) {
    throw new Error('Cannot open the database of DATABASE_URL: its schema cannot be brought up to date', { cause })
  } finally {
    // The lock ends with the connection.
    await client.end()
  }
}
