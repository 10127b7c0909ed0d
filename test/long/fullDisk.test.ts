import { request } from 'undici'
import { expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { mountDisk } from '../harness/mountDisk.ts'
import { adminKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { recordTrial } from './trials.ts'

const requestsEach = 3000
const clientCount = 8
const roomy = { requests: 1_000_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 10_000_000 }

const describeDisk = await describeWith(['tmpfs'], 'a service whose DATA_DIR is full')

describeDisk('a full disk under the embedded database', () => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true }))

  it.each(['Node', 'Deno'] as const)(
    'a service on %s loses no request and no count while the disk of DATA_DIR is full, and reports it',
    async (runtime) => {
      await using disk = await mountDisk(150)
      const settings = settingsFor(localnet, { dataDir: `${disk.path}/data` })
      await using server = await startServerProcess(settings, runtime)
      const admin = createAdminClient(server.url)
      const { id, key } = await admin.issue(roomy)
      const read = async (path: string, headers: Record<string, string> = {}) => {
        const { statusCode: status, body } = await request(`${server.url}${path}`, { headers })
        return { status, body: (await body.json()) as Record<string, unknown> }
      }
      const outcomes: Record<number, number> = {}
      const sendMany = async () => {
        const next = Array.from({ length: requestsEach }).values()
        const send = async () => {
          for (const _ of next) {
            const { status } = await read('/api/v1/pools', { 'x-api-key': key })
            outcomes[status] = (outcomes[status] ?? 0) + 1
          }
        }
        await Promise.all(Array.from({ length: clientCount }, send))
      }
      await sendMany()
      await disk.fill()
      await expect
        .poll(() => read('/health'), eventually)
        .toMatchObject({ status: 200, body: { status: 'degraded', storage: 'unwritable' } })
      await sendMany()
      const stats = await read('/api/v1/admin/stats', { 'x-admin-key': adminKey })
      expect(stats).toMatchObject({ status: 503, body: { code: 'svc/storage-unavailable' } })
      expect(stats.body['error']).toContain('less than 17 MB are free on the disk of the database')
      await disk.free()
      await expect
        .poll(() => read('/health'), eventually)
        .toMatchObject({ status: 200, body: { status: 'ok', storage: 'ok' } })
      await sendMany()
      const { calls } = await admin.statsOf(id)
      recordTrial({
        trial: `The disk of DATA_DIR is full, on ${runtime}`,
        tried: `${(3 * requestsEach).toLocaleString('en')} requests, a third of them while the disk of the embedded database had no free byte`,
        result: `Lost: ${(3 * requestsEach - (outcomes[200] ?? 0)).toLocaleString('en')} requests and ${(3 * requestsEach - calls).toLocaleString('en')} counts. \`/health\` was 200 \`degraded\` with \`storage: unwritable\`, and \`ok\` once there was room`,
      })
      expect(outcomes).toEqual({ 200: 3 * requestsEach })
      expect(calls).toBe(3 * requestsEach)
    },
  )
})
