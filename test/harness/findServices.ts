import { accessSync, constants, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createClient } from '@redis/client'
import { Client } from 'pg'
import { describe } from 'vitest'
import { findChromium } from './findChromium.ts'
import { installPackage } from './installPackage.ts'
import { canLimitMemory } from './limitMemory.ts'
import { canMountDisk } from './mountDisk.ts'
import { eventually } from './timeLimits.ts'

/** The URL of a running PostgreSQL on which databases may be created. */
export const postgresUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/postgres'

/** The URL of a running Redis, which other tests may use at the same time. */
export const redisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** A service that some tests need and not every machine has. */
export type Service =
  | 'PostgreSQL'
  | 'Redis'
  | 'PostgreSQL binaries'
  | 'PostgreSQL client'
  | 'Redis binary'
  | 'tmpfs'
  | 'memory limits'
  | 'HAProxy'
  | 'slowhttptest'
  | 'Chromium'
  | 'PgBouncer'
  | 'nginx'

/**
 * Checks whether services are available, and warns about the tests that are skipped without them.
 *
 * @param untested the behaviour that is not tested if one of them is absent
 * @returns whether all of them are available
 * @throws `Error` if one is absent and `CI` is set
 */
export async function findServices(needed: readonly Service[], untested: string): Promise<boolean> {
  const found = await Promise.all(needed.map((service) => finders[service]()))
  const missing = needed.filter((_, index) => !found[index])
  if (missing.length === 0) return true
  const message = `NOT TESTED: ${untested}. ${missing.map((service) => hints[service]).join(' ')}`
  if (process.env['CI']) throw new Error(message)
  console.warn(`\n${'!'.repeat(100)}\n${message}\n${'!'.repeat(100)}\n`)
  return false
}

/** `describe` if the services are available, else `describe.skip` with the warning of `findServices`. */
export async function describeWith(needed: readonly Service[], untested: string) {
  return (await findServices(needed, untested)) ? describe : describe.skip
}

/** The path of the program of a server. @throws `Error` if it is not installed */
export function getBinary(name: string): string {
  const path = findBinary(name)
  if (path === undefined) throw new Error(`Cannot start ${name}: it is not installed`)
  return path
}

const hints: Record<Service, string> = {
  PostgreSQL: 'No PostgreSQL is reachable at TEST_DATABASE_URL (postgres://root@127.0.0.1:5432/postgres by default).',
  Redis: 'No Redis is reachable at TEST_REDIS_URL (redis://127.0.0.1:6379 by default).',
  'PostgreSQL binaries': 'The programs initdb and postgres are not installed.',
  'PostgreSQL client': 'The programs pg_dump and pg_restore are not installed.',
  'Redis binary': 'The program redis-server is not installed.',
  tmpfs: 'This user cannot mount a file system, also not with sudo.',
  'memory limits': 'This user cannot create a cgroup.',
  HAProxy: 'The program haproxy is not installed.',
  slowhttptest: 'The program slowhttptest is not installed.',
  Chromium: 'Chromium is not installed, and cannot be installed from the packages of the system.',
  PgBouncer: 'PgBouncer is not installed, and cannot be installed from the packages of the system.',
  nginx: 'nginx is not installed, and cannot be installed from the packages of the system.',
}

const finders: Record<Service, () => Promise<boolean>> = {
  PostgreSQL: isPostgresAvailable,
  Redis: isRedisAvailable,
  'PostgreSQL binaries': async () => findBinary('initdb') !== undefined && findBinary('postgres') !== undefined,
  'PostgreSQL client': async () => findBinary('pg_dump') !== undefined && findBinary('pg_restore') !== undefined,
  'Redis binary': async () => findBinary('redis-server') !== undefined,
  tmpfs: canMountDisk,
  'memory limits': async () => canLimitMemory(),
  HAProxy: async () => findBinary('haproxy') !== undefined,
  slowhttptest: async () => findBinary('slowhttptest') !== undefined,
  Chromium: async () => (await findChromium()) !== undefined,
  PgBouncer: () => canInstall('pgbouncer'),
  nginx: () => canInstall('nginx'),
}

/** Returns whether a program is installed, or can be from the package of its name. */
async function canInstall(name: string): Promise<boolean> {
  if (findBinary(name) === undefined) await installPackage(name).catch(() => {})
  return findBinary(name) !== undefined
}

async function isPostgresAvailable(): Promise<boolean> {
  const client = new Client({ connectionString: postgresUrl, connectionTimeoutMillis: eventually.timeout })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

async function isRedisAvailable(): Promise<boolean> {
  const client = createClient({
    url: redisUrl,
    socket: { reconnectStrategy: false, connectTimeout: eventually.timeout },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
    return true
  } catch {
    return false
  } finally {
    client.destroy()
  }
}

function findBinary(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':').filter(Boolean), '/usr/sbin', ...listPostgresFolders()]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

// Debian installs the programs of PostgreSQL outside the path, in a folder per version.
function listPostgresFolders(): readonly string[] {
  const root = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
