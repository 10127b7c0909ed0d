import { logLevels, type startServer } from '@agio/server'
import { readPort } from './readPort.ts'

/** How the service runs beside local chains: with a key that everyone knows, and for pages of any local origin. */
export function readServerSettings(environment: NodeJS.ProcessEnv): readServerSettings.Result {
  return {
    host: environment['HOST'] || '127.0.0.1',
    port: readPort('PORT', 3000),
    apiKeys: [{ name: 'local', secret: 'local-key', tier: 'local' }],
    corsOrigins: 'localhost',
    // The table stays in sight.
    logLevel: readLogLevel(environment['LOG_LEVEL'] || 'warn'),
    broadcastWaitMs: 15_000,
    snapshotMaxAgeMs: 10_000,
  }
}

export declare namespace readServerSettings {
  type Result = Omit<Parameters<typeof startServer>[0], 'deploymentsDir' | 'rpcUrls'>
}

function readLogLevel(value: string): string {
  if ((logLevels as readonly string[]).includes(value)) return value
  throw new Error(`Cannot use LOG_LEVEL: '${value}' is none of ${logLevels.join(', ')}`)
}
