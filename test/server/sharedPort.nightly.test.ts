import process from 'node:process'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { describeWith } from '../harness/findServices.ts'
import { settingsFor, type SettingsChanges } from '../harness/settingsFor.ts'
import { startRedis } from '../harness/startRedis.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'

const roomy = { requests: 10_000, windowSeconds: 900, burstPerSecond: 10_000, monthlyQuota: 10_000 }

// Other systems do not distribute the connections of a port.
const isSupported = process.platform === 'linux'
const describeShared = await describeWith(['PostgreSQL', 'Redis'], 'processes that share a port')

describeShared('processes that share a port', () => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true }))
  const database = setUp(() => createDatabase())
  const redis = setUp(() => startRedis())

  it.skipIf(!isSupported).each(['Node', 'Deno'] as const)(
    'two processes on %s answer on one port until they stop',
    async (runtime) => {
      const start = async (changes: SettingsChanges) => {
        const location = { reusePort: 'on', databaseUrl: database.url, redisUrl: redis.url } as const
        const metricsPort = await findFreePort()
        const settings = settingsFor(localnet, { ...location, metricsPort, ...changes })
        return { ...(await startServerProcess(settings, runtime)), metricsPort }
      }
      await using first = await start({})
      await using second = await start({ port: Number(new URL(first.url).port) })
      const { key } = await createAdminClient(first.url).issue(roomy)
      /** Sends a request on a connection of its own. */
      const send = async () => {
        const headers = { 'x-api-key': key }
        const response = await request(`${first.url}/api/v1/chains`, { headers, reset: true })
        await response.body.dump()
        return response.statusCode
      }
      const countAnswers = async ({ metricsPort }: typeof first) => {
        const response = await request(`http://127.0.0.1:${metricsPort}/metrics`)
        const text = await response.body.text()
        return Number(/^agio_requests_total\{operation="chains\.list",status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0)
      }
      const areBothAnswering = async () => {
        expect(await send()).toBe(200)
        return (await countAnswers(first)) > 0 && (await countAnswers(second)) > 0
      }
      await expect.poll(areBothAnswering, eventually).toBe(true)
      await second.stop()
      for (let sent = 0; sent < 20; sent++) expect(await send()).toBe(200)
    },
  )
})
