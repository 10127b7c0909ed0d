import { expect, it } from 'vitest'
import { parseServiceSettings } from '../settings/parseServiceSettings.ts'
import { toWorkerSettings } from './runWorker.ts'

it('the limits of connections, streams and requests in progress are divided among the workers, rounded up', () => {
  const settings = parseServiceSettings({
    WORKERS: '3',
    MAX_STREAMS: '100',
    DATABASE_URL: 'postgres://agio@db/agio',
    REDIS_URL: 'redis://cache',
  })
  expect(toWorkerSettings(settings)).toEqual({
    ...settings,
    workers: 1,
    maxConnections: 334,
    maxConnectionsPerAddress: 86,
    maxRequestsPerAddress: 334,
    maxStreams: 34,
  })
})
