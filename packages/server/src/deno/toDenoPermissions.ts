import { join, resolve } from 'node:path'
import { assets } from '../assets/assets.ts'
import { settingNames } from '../settings/parseServiceSettings.ts'
import type { Settings } from '../settings/Settings.ts'

const root = resolve(import.meta.dirname, '../../../..')

/**
 * Returns the options of `deno run` with exactly the permissions that the service needs with these settings. Relative
 * folders are resolved in this process's working directory. No option contains a secret.
 */
export function toDenoPermissions(settings: Settings): readonly string[] {
  const { databaseUrl, deploymentsDir, consoleDir } = settings
  const database = databaseUrl === undefined ? toEmbeddedAccess(settings) : toDatabaseAccess(new URL(databaseUrl))
  const { net = [], read = [], write = [], env = [], sys = [] } = database
  return [
    // Webhook receivers may be on any host.
    settings.webhookTargets === 'off' ? toOption('net', [...listHosts(settings), ...net]) : '--allow-net',
    toOption('read', [
      ...['node_modules', 'packages', 'docs', 'openapi.json'].map((name) => join(root, name)),
      resolve(deploymentsDir),
      ...(consoleDir === undefined || consoleDir === assets.console ? [] : [resolve(consoleDir)]),
      ...(settings.secretFiles ?? []).map((file) => resolve(file)),
      ...read,
      ...write,
    ]),
    ...(write.length > 0 ? [toOption('write', write)] : []),
    toOption('env', [...settingNames, ...env]),
    // Libraries look up their own variables, and must find them unset.
    '--ignore-env',
    // The logger reads the host name when it is loaded, and the lock of the embedded database contains it.
    toOption('sys', ['hostname', ...sys]),
    '--no-prompt',
  ]
}

type Access = Readonly<Partial<Record<'net' | 'read' | 'write' | 'env' | 'sys', readonly string[]>>>

/** Returns the access to the folders of the embedded database and its backups, and to the free space of their disk. */
function toEmbeddedAccess({ dataDir, backupDir = dataDir }: Settings): Access {
  return { write: [...new Set([resolve(dataDir), resolve(backupDir)])], sys: ['statfs'] }
}

/** Returns the access to a PostgreSQL server: over TCP, or by the socket in the folder of the parameter `host`. */
function toDatabaseAccess({ hostname, port, searchParams }: URL): Access {
  const host = searchParams.get('host') ?? (hostname || 'localhost')
  const certificates = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => searchParams.get(name))
  const read = certificates.filter((file) => file !== null).map((file) => resolve(file))
  // The variables of libpq supply what the URL omits.
  const env = ['PG*']
  if (!host.startsWith('/')) return { net: [`${host}:${port || 5432}`], read, env }
  const socket = join(host, `.s.PGSQL.${port || 5432}`)
  return { net: [`unix:${socket}`], read, write: [socket], env }
}

/** Lists where the service listens, and the nodes, the Redis and the collector that it connects to. */
function listHosts({ host, port, metricsPort, adminHost, adminPort, ...settings }: Settings): readonly string[] {
  const listened = [
    { host, port },
    { host, port: metricsPort },
    { host: adminHost, port: adminPort },
  ].filter((address) => address.port !== undefined)
  const { rpcUrls, redisUrl, traceEndpoint } = settings
  const urls = [...Object.values(rpcUrls).flat(), redisUrl ?? [], traceEndpoint ?? []].flat()
  const toListenHost = (name: string) => (name.includes(':') ? `[${name}]` : name)
  return [...listened.map((address) => `${toListenHost(address.host)}:${address.port}`), ...urls.map(toHost)]
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 }

function toHost(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname}:${port || (defaultPorts[protocol] ?? 6379)}`
}

// A comma separates values. Two commas escape one.
function toOption(permission: string, values: readonly string[]): string {
  return `--allow-${permission}=${[...new Set(values)].map((value) => value.replaceAll(',', ',,')).join(',')}`
}
