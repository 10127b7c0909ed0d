import type { Settings } from '@agio/server'
import { defaultSettings } from '@agio/server/cli'

// Local chains and each local service have their own folders.
const { deploymentsDir: _deploymentsDir, dataDir: _dataDir, ...common } = defaultSettings

/** The path of the tarball of `@agio/sdk`, which a local service serves to `npm install`. */
export const sdkPath = '/downloads/agio-sdk.tgz'

/**
 * The default settings of the service on local chains: a free port and public keys. Without a `dataDir`, the database
 * is in a temporary folder, which is removed at stop.
 */
export const localServiceDefaults = {
  ...common,
  port: 0,
  presetKeys: [
    { id: 'key_local', secret: 'local-key', tier: 'local' },
    { id: 'key_local_standard', secret: 'local-standard-key', tier: 'standard' },
  ],
  adminKey: 'local-admin-key',
  webhookTargets: 'local',
  maxConnectionsPerAddress: 1000,
  corsOrigins: 'localhost',
  allowedHosts: 'localhost',
  logLevel: 'warn',
  drainMs: 0,
} as const satisfies Partial<Settings>
