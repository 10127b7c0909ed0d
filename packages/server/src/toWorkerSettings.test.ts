import { expect, it } from 'vitest'
import { readSettings } from './settings/readSettings.ts'
import { toWorkerSettings } from './toWorkerSettings.ts'

it('the limits of connections and of requests in progress are divided among the workers, rounded up', () => {
  const settings = readSettings({ WORKERS: '3', DATABASE_URL: 'postgres://agio@db/agio', REDIS_URL: 'redis://cache' })
  expect(toWorkerSettings(settings)).toEqual({
    ...settings,
    workers: 1,
    maxConnections: 334,
    maxConnectionsPerAddress: 86,
    maxRequestsPerAddress: 334,
  })
})
