import { setTimeout as delay } from 'node:timers/promises'
import type { Localnet } from '@agio/localnet'
import { expect, it } from 'vitest'
import { readUsage } from '../harness/readUsage.ts'
import type { Caller } from '../harness/Caller.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith, redisUrl } from '../harness/findServices.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { recordTrial } from './trials.ts'

const seconds = 60
const clientsPerTransport = 4
// Bounds the load at 400 calls per second.
const pauseMs = 20

const roomy = { requests: 1_000_000, windowSeconds: 3600, burstPerSecond: 10_000, monthlyQuota: 1_000_000 }

const describeSoak = await describeWith(['PostgreSQL', 'Redis'], 'a minute of mixed requests')

describeSoak('soak', () => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true }))

  it.each(['Node', 'Deno'] as const)(
    'the service on %s answers, counts and keeps its memory through a minute of mixed requests',
    async (runtime) => {
      await using database = await createDatabase()
      const settings = settingsFor(localnet, { databaseUrl: database.url, redisUrl, phase: 'production' })
      await using server = await startServerProcess(settings, runtime)
      const admin = createAdminClient(server.url)
      const { id, key } = await admin.issue(roomy)
      const target = { url: server.url, apiKey: key }
      const sent: Record<string, number> = {}
      const statuses: Record<number, number> = {}
      const untilMs = performance.now() + seconds * 1000
      const runClient = async (call: Caller) => {
        while (performance.now() < untilMs) {
          const [operation, input] = pick(createInputs(localnet))
          // The callers assert that each response is documented for its status.
          const { status } = await call(operation, input)
          sent[operation] = (sent[operation] ?? 0) + 1
          statuses[status] = (statuses[status] ?? 0) + 1
          await delay(pauseMs)
        }
      }
      const clients = [createRestCaller(target), createTrpcCaller(target)].flatMap((call) =>
        Array.from({ length: clientsPerTransport }, () => runClient(call)),
      )
      await delay(seconds * 250)
      const { residentMB: earlyMB } = await readUsage(server.pid)
      await Promise.all(clients)
      const { residentMB: lateMB } = await readUsage(server.pid)

      const calls = Object.values(sent).reduce((sum, count) => sum + count, 0)
      await expect
        .poll(() => admin.statsOf(id), { message: 'every call is counted once, by its operation' })
        .toMatchObject({ calls, refused: 0, callsByOperation: sent })
      expect(Object.keys(statuses).toSorted(), 'every response is a success or the refusal that was provoked').toEqual([
        '200',
        '422',
      ])
      expect(lateMB, 'the resident memory does not double').not.toBeGreaterThan(2 * earlyMB)
      recordTrial({
        trial: `A minute of mixed requests on ${runtime}`,
        tried: `${calls.toLocaleString('en')} calls of ${Object.keys(sent).length} operations within ${seconds} s, by ${2 * clientsPerTransport} clients over REST and tRPC, on PostgreSQL and Redis`,
        result: `Every response as documented: ${formatCounts(statuses)}. Calls counted: all, none twice. Resident memory: ${earlyMB} MB after a quarter, ${lateMB} MB at the end`,
      })
    },
  )
})

type Input = Readonly<Record<string, unknown>>

/** Calls of every read and build operation on both chains, and one that the pool refuses. */
function createInputs({ chains }: Localnet): readonly (readonly [string, Input])[] {
  return Object.values(chains).flatMap((chain) => {
    const inputs: Readonly<Record<string, Input>> = validInputs(chain)
    const excessive = { ...inputs['convert.preview'], amountIn: '900000000' }
    return [...Object.entries(inputs), ['convert.preview', excessive] as const]
  })
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}

function formatCounts(counts: Readonly<Record<number, number>>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`)
    .join(', ')
}
