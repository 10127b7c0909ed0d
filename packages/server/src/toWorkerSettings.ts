import type { Settings } from './Settings.ts'

/** Returns the settings of one of several workers: its part of what the service may hold in all. */
export function toWorkerSettings({ workers = 1, ...settings }: Settings): Settings {
  const share = (limit: number) => Math.ceil(limit / workers)
  return {
    ...settings,
    maxConnections: share(settings.maxConnections),
    maxConnectionsPerAddress: share(settings.maxConnectionsPerAddress),
    maxRequestsPerAddress: share(settings.maxRequestsPerAddress),
  }
}
