import { chainIds } from '@agio/core'
import type { Settings } from '@agio/server'

/** The environment variables that yield the given settings. */
export function toEnvironment({ rpcUrls, ...settings }: Settings): Record<string, string> {
  return {
    HOST: settings.host,
    PORT: String(settings.port),
    DEPLOYMENTS_DIR: settings.deploymentsDir,
    ...Object.fromEntries(chainIds.map((chainId) => [`RPC_URL_${chainId}`, rpcUrls[chainId].join(',')])),
    DATABASE_URL: settings.databaseUrl ?? '',
    DATA_DIR: settings.dataDir,
    REDIS_URL: settings.redisUrl ?? '',
    ADMIN_KEY: settings.adminKey ?? '',
    SERVICE_PHASE: settings.phase,
    TRUST_PROXY: String(settings.trustedProxies),
    METRICS_PORT: settings.metricsPort === undefined ? '' : String(settings.metricsPort),
    CORS_ORIGINS: settings.corsOrigins === 'localhost' ? '' : settings.corsOrigins.join(','),
    LOG_LEVEL: settings.logLevel,
    BROADCAST_WAIT_MS: String(settings.broadcastWaitMs),
    SNAPSHOT_MAX_AGE_MS: String(settings.snapshotMaxAgeMs),
  }
}
