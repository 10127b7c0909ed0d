import { hash } from 'node:crypto'
import { join } from 'node:path'
import { Network, Operator } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import { defaultSettings, type Settings } from '@agio/server'
import { inject } from 'vitest'
import { copyDatabase } from './copyDatabase.ts'

/** The key that every service under test knows, without limits. */
export const apiKey = 'key-of-the-test-suite'

/** The admin key of every service under test. */
export const adminKey = 'admin-key-of-the-test-suite'

/** The secrets of operators with one role each. The operator `keys` has two. */
export const operatorKeys = {
  read: 'read-key-of-the-test-suite',
  keys: 'keys-key-of-the-test-suite',
  quotes: 'quotes-key-of-the-test-suite',
  backup: 'backup-key-of-the-test-suite',
} as const

/** The next secret of the operator `keys`. */
export const nextKeysKey = 'next-keys-key-of-the-test-suite'

const adminKeys = Operator.roles.map((role) => ({
  name: `${role}-only`,
  roles: [role],
  digests: (role === 'keys' ? [operatorKeys.keys, nextKeysKey] : [operatorKeys[role]]).map((key) =>
    hash('sha256', key, 'hex'),
  ),
}))

/** Settings of a service over local chains, on a free port, logging nothing, with its own database. */
export function settingsFor(
  localnet: Localnet,
  changes: SettingsChanges = {},
  emptyDatabase = inject('emptyDatabase'),
): Settings {
  const settings = settingsWithoutDatabase(localnet, changes)
  if (settings.databaseUrl !== undefined || changes.dataDir !== undefined) return settings
  const dataDir = join(localnet.deploymentsDir, `data-${crypto.randomUUID()}`)
  copyDatabase(emptyDatabase, dataDir)
  return { ...settings, dataDir }
}

/** The same for a service that gets its database from the test. */
export function settingsWithoutDatabase(localnet: Localnet, { rpcUrls, ...overrides }: SettingsChanges = {}): Settings {
  return {
    ...defaultSettings,
    port: 0,
    deploymentsDir: localnet.deploymentsDir,
    rpcUrls: { ...Network.map((chainId) => [localnet.chains[chainId].rpcUrl]), ...rpcUrls },
    dataDir: '',
    adminKey,
    adminKeys,
    trustedProxies: 1,
    corsOrigins: ['https://app.example'],
    logLevel: 'silent',
    drainMs: 0,
    // The chains of most tests mine a block an hour, and a file takes over five minutes on a busy machine.
    maxBlockAgeMs: 3_600_000,
    ...overrides,
  }
}

/** Settings to change; a chain without `rpcUrls` keeps its own node. */
export type SettingsChanges = Partial<Omit<Settings, 'rpcUrls'>> & {
  readonly rpcUrls?: Readonly<Partial<Record<Network.ChainId, readonly string[]>>> | undefined
}
