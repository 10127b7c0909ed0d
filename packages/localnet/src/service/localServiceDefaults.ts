import type { Settings } from '@agio/server'

/**
 * The settings of the service on local chains by default: a free port, and keys that are public. Without a `dataDir`, the
 * database is in a temporary folder, which is removed at stop.
 */
export const localServiceDefaults = {
  host: '127.0.0.1',
  port: 0,
  knownKeys: [
    { id: 'key_local', secret: 'local-key', tier: 'local' },
    { id: 'key_local_standard', secret: 'local-standard-key', tier: 'standard' },
  ],
  adminKey: 'local-admin-key',
  phase: 'sandbox',
  webhookTargets: 'local',
  trustedProxies: 0,
  maxConnections: 1000,
  maxConnectionsPerAddress: 1000,
  maxRequestsPerAddress: 1000,
  clientTimeoutMs: 10_000,
  corsOrigins: 'localhost',
  logLevel: 'warn',
  broadcastWaitMs: 15_000,
  snapshotMaxAgeMs: 10_000,
  maxBlockAgeMs: 300_000,
  drainMs: 0,
} as const satisfies Partial<Settings>
