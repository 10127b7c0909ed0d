import { hash } from 'node:crypto'
import process from 'node:process'
import { Network, Operator } from '@agio/core'
import { listDefaults, listVariables, parseSettings } from './defineSettings.ts'
import { serviceSettings } from './serviceSettings.ts'
import type { Settings } from './Settings.ts'

/** Names of the variables that the settings are read from. */
export const settingNames = listVariables(serviceSettings)

/** The default settings of a service, without its nodes and its console. */
export const defaultSettings = withoutNodes(listDefaults(serviceSettings))

/**
 * Parses the settings of a service from the environment.
 *
 * @throws `Error` that names each bad variable and never quotes a value
 */
export function parseServiceSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const { values, files } = parseSettings(serviceSettings, environment)
  const { reusePort, databaseUrl, redisUrl } = values
  if (!['', '1'].includes(environment['WORKERS'] ?? '')) {
    throw new Error(
      'Cannot start: the setting WORKERS was removed. Start each process itself, with REUSE_PORT=on: see docs/operate/replicas.md',
    )
  }
  if (reusePort === 'on' && process.platform !== 'linux') throw new Error('Cannot start: REUSE_PORT=on needs Linux')
  if (reusePort === 'on' && (databaseUrl === undefined || redisUrl === undefined)) {
    throw new Error(
      'Cannot start: REUSE_PORT=on needs DATABASE_URL and REDIS_URL. Processes cannot share the embedded database or limits in memory',
    )
  }
  toOperators(values)
  assertDistinctPorts(values)
  return {
    ...withoutNodes(values),
    rpcUrls: Network.map((chainId) => values[`rpcUrl${chainId}`]),
    consoleDir: values.console === 'on' ? values.consoleDir : undefined,
    secretFiles: files.length === 0 ? undefined : files,
  }
}

/**
 * Returns the operators of the service: those of `ADMIN_KEYS`, and `admin` with `ADMIN_KEY`.
 *
 * @throws `Error` if `ADMIN_KEYS` repeats the name or the secret of `ADMIN_KEY`
 */
export function toOperators({ adminKey, adminKeys = [] }: Pick<Settings, 'adminKey' | 'adminKeys'>) {
  if (adminKey === undefined) return adminKeys
  const admin: Operator.Operator = { name: 'admin', roles: Operator.roles, digests: [hash('sha256', adminKey, 'hex')] }
  for (const { name, digests } of adminKeys) {
    if (name === admin.name)
      throw new Error(
        'Cannot start: ADMIN_KEYS has the operator admin, which ADMIN_KEY is. Unset ADMIN_KEY or rename it',
      )
    if (digests.some((digest) => admin.digests.includes(digest)))
      throw new Error(
        `Cannot start: the operator ${name} of ADMIN_KEYS has the secret of ADMIN_KEY. Create another one`,
      )
  }
  return [admin, ...adminKeys]
}

/** Asserts that no two servers have one port. With `REUSE_PORT=on` the system would not refuse it. */
function assertDistinctPorts({ port, metricsPort, adminPort }: Pick<Settings, 'port' | 'metricsPort' | 'adminPort'>) {
  const ports = [port, metricsPort, adminPort].filter((one) => one !== undefined && one !== 0)
  if (new Set(ports).size === ports.length) return
  throw new Error('Cannot start: PORT, METRICS_PORT and ADMIN_PORT must differ')
}

/** Removes the settings that `Settings` has in another form. */
function withoutNodes<Values extends Readonly<Record<string, unknown>>>(values: Values) {
  const entries = Object.entries(values).filter(([name]) => !/^(rpcUrl\d+|console|consoleDir)$/.test(name))
  return Object.fromEntries(entries) as Omit<Values, `rpcUrl${number}` | 'console' | 'consoleDir'>
}
