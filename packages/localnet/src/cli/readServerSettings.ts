import { logLevels, type Settings } from '@agio/server'
import { join } from 'node:path'
import { projectRoot } from '../projectRoot.ts'
import { localAdminKey } from './localAdminKey.ts'
import { readAddress } from './readAddress.ts'

const knownKeys = [
  { id: 'key_local', secret: 'local-key', tier: 'local' },
  { id: 'key_local_standard', secret: 'local-standard-key', tier: 'standard' },
] as const

/** How the service runs beside local chains: with keys that everyone knows, and for pages of any local origin. */
export function readServerSettings(environment: NodeJS.ProcessEnv): readServerSettings.Result {
  return {
    ...readAddress(environment),
    // Of its own: keys that everyone knows must not get into a database that others use.
    dataDir: join(projectRoot, '.local/data'),
    knownKeys,
    adminKey: localAdminKey,
    phase: 'sandbox',
    trustedProxies: 0,
    corsOrigins: 'localhost',
    // The table stays in sight.
    logLevel: readLogLevel(environment['LOG_LEVEL'] || 'warn'),
    broadcastWaitMs: 15_000,
    snapshotMaxAgeMs: 10_000,
  }
}

export declare namespace readServerSettings {
  type Result = Omit<Settings, 'deploymentsDir' | 'rpcUrls'> & {
    readonly knownKeys: typeof knownKeys
    readonly adminKey: string
  }
}

function readLogLevel(value: string): string {
  if ((logLevels as readonly string[]).includes(value)) return value
  throw new Error(`Cannot use LOG_LEVEL: '${value}' is none of ${logLevels.join(', ')}`)
}
