import { existsSync, globSync } from 'node:fs'
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

/** The services that some tests need and not every machine has: how each is found, and what is missing without it. */
const services = {
  PostgreSQL: {
    find: () => canConnect(postgresUrl),
    hint: 'No PostgreSQL is reachable at TEST_DATABASE_URL (postgres://root@127.0.0.1:5432/postgres by default).',
  },
  Redis: {
    find: isRedisAvailable,
    hint: 'No Redis is reachable at TEST_REDIS_URL (redis://127.0.0.1:6379 by default).',
  },
  'PostgreSQL binaries': programs('initdb', 'postgres'),
  'PostgreSQL client': programs('pg_dump', 'pg_restore'),
  'Redis binary': programs('redis-server'),
  tmpfs: { find: canMountDisk, hint: 'This user cannot mount a file system, also not with sudo.' },
  'memory limits': { find: canLimitMemory, hint: 'This user cannot create a cgroup.' },
  HAProxy: programs('haproxy'),
  slowhttptest: programs('slowhttptest'),
  Chromium: { find: async () => (await findChromium()) !== undefined, hint: cannotInstall('Chromium') },
  PgBouncer: { find: () => canInstall('pgbouncer'), hint: cannotInstall('PgBouncer') },
  nginx: { find: () => canInstall('nginx'), hint: cannotInstall('nginx') },
}

type Service = keyof typeof services

/**
 * Checks whether services are available, and warns about the tests that are skipped without them.
 *
 * @param untested the behaviour that is not tested if one of them is absent
 * @returns whether all of them are available
 * @throws `Error` if one is absent and `CI` is set
 */
export async function findServices(needed: readonly Service[], untested: string): Promise<boolean> {
  const found = await Promise.all(needed.map(async (service) => await services[service].find()))
  const missing = needed.filter((_, index) => !found[index])
  if (missing.length === 0) return true
  const message = `NOT TESTED: ${untested}. ${missing.map((service) => services[service].hint).join(' ')}`
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

/** Whether a PostgreSQL answers a query. */
export async function canConnect(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString, connectionTimeoutMillis: eventually.timeout })
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

function programs(...names: readonly string[]) {
  const find = () => names.every((name) => findBinary(name) !== undefined)
  return { find, hint: `Not installed: ${names.join(', ')}.` }
}

function cannotInstall(name: string): string {
  return `${name} is not installed, and cannot be installed from the packages of the system.`
}

/** Returns whether a program is installed, or can be from the package of its name. */
async function canInstall(name: string): Promise<boolean> {
  if (findBinary(name) === undefined) await installPackage(name).catch(() => {})
  return findBinary(name) !== undefined
}

async function isRedisAvailable(): Promise<boolean> {
  const socket = { reconnectStrategy: false, connectTimeout: eventually.timeout } as const
  const client = createClient({ url: redisUrl, socket })
  client.on('error', () => {})
  const ping = client.connect().then(() => client.ping())
  const isAvailable = await ping.then(Boolean, () => false)
  client.destroy()
  return isAvailable
}

// Debian installs the programs of PostgreSQL outside the path, in a folder per version.
function findBinary(name: string): string | undefined {
  const ofPostgres = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()
  const folders = [...(process.env['PATH'] ?? '').split(':').filter(Boolean), '/usr/sbin', ...ofPostgres]
  return folders.map((folder) => join(folder, name)).find(existsSync)
}
