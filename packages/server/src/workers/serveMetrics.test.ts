import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { serveMetrics } from './serveMetrics.ts'

const options = { host: '127.0.0.1', port: 0, maxConnections: 10, clientTimeoutMs: 1000 }

async function start() {
  const server = await serveMetrics(async () => 'agio_workers 2\n', options)
  onTestFinished(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

it('the metrics port of several workers serves their metrics, and nothing else', async () => {
  const url = `http://127.0.0.1:${await start()}`
  const metrics = await fetch(`${url}/metrics?all`)
  expect(await metrics.text()).toBe('agio_workers 2\n')
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const other = await fetch(`${url}/health`)
  expect([other.status, await other.text()]).toEqual([404, 'The metrics are at /metrics\n'])
})

it('error: the metrics port of several workers is taken', async () => {
  const port = await start()
  await expect(serveMetrics(async () => '', { ...options, port })).rejects.toThrow(
    `Cannot serve on port ${port}: the port is taken. Set METRICS_PORT to another port`,
  )
})
