import type { Settings } from './settings/Settings.ts'

/** Returns the settings of one of several workers, with its share of the service's limits. */
export function toWorkerSettings(settings: Settings): Settings {
  const share = (limit: number) => Math.ceil(limit / settings.workers)
  return {
    ...settings,
    workers: 1,
    maxConnections: share(settings.maxConnections),
    maxConnectionsPerAddress: share(settings.maxConnectionsPerAddress),
    maxRequestsPerAddress: share(settings.maxRequestsPerAddress),
  }
}
