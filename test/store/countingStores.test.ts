import { createRedisStore, createTestServer } from '@agio/store/testing'
import { createClient } from '@redis/client'
import { describe, expect, it } from 'vitest'
import { describeWith } from '../harness/findServices.ts'
import { startRedis } from '../harness/startRedis.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeCountingStore } from './describeCountingStore.ts'
import { admitOnceOpen, hold, minuteMs, open, toUsed, type CountingServer } from './openCountingStore.ts'

const describeRedis = await describeWith(['Redis binary'], 'counts that processes share in Redis')

const large = { name: 'large', limit: 10_000, lengthMs: minuteMs, knownUsed: 0, unsynced: [] }
const burst = { ...large, name: 'burst', limit: 20_000 }
const noChange = { windows: 1, windowIds: [], spent: 0, returned: 0, wanted: 0 }
const none = [[0, 0]]

describeRedis('a store of counts in Redis', () => {
  const startServer = async () => {
    const redis = await startRedis()
    return { ...redis, createStore: () => createRedisStore(redis.url) }
  }
  describeCountingStore(startServer)
  describeLeases(startServer)

  it('each connection loads the scripts first, so that no request is sent twice', async () => {
    await using server = await startServer()
    using one = await open(server)
    for (const isRestarted of [false, true]) {
      if (isRestarted) {
        await server.stop()
        await server.start()
      }
      await admitOnceOpen(one)
      await one.store.hold(hold)
      await one.store.exchange([])
      expect(await readCommands(server.url)).toEqual(['evalsha', 'script|load'])
    }
  })
})

/** The commands that the server has executed whose names begin as those that execute scripts. */
async function readCommands(url: string): Promise<readonly string[]> {
  const client = await createClient({ url }).connect()
  const text = await client.info('commandstats')
  client.destroy()
  return Array.from(text.matchAll(/^cmdstat_((?:eval|script)[^:]*):/gm), ([, name]) => String(name)).toSorted()
}

// The tests of the failover limiter use this store.
describe('a store of counts for tests', () => {
  describeCountingStore(async () => createTestServer())
  describeLeases(async () => createTestServer())
})

/** Describes the tests of leases that every `CountingStore` passes, on servers without any counts. */
function describeLeases(startServer: () => Promise<CountingServer>): void {
  it('leased calls count against the limit of all processes, and are not reported as used', async () => {
    await using server = await startServer()
    using one = await open(server)
    using other = await open(server)
    const windows = [large]
    const leased = await one.count({ windows, costs: [[100]], lease: { ...noChange, wanted: 500 } })
    expect([leased.granted, leased.states[0]?.used]).toEqual([500, 100])
    const [admission, refusal] = await other.admit({ windows, costs: [[9400], [1]] })
    expect(admission).toMatchObject({ isAdmitted: true, states: [{ used: 9500 }] })
    expect(refusal).toMatchObject({ isAdmitted: false, states: [{ used: 9500 }] })
  })

  it('spent calls become used calls, and returned ones are free for every process', async () => {
    await using server = await startServer()
    using one = await open(server)
    using other = await open(server)
    const windows = [large, burst]
    const leased = await one.count({ windows, costs: none, lease: { ...noChange, windows: 2, wanted: 500 } })
    expect(leased.granted).toBe(500)
    const change = { ...noChange, windows: 2, windowIds: leased.windowIds }
    const spent = await one.count({ windows, costs: none, lease: { ...change, spent: 200, returned: 100 } })
    expect(spent.states.map(({ used }) => used)).toEqual([200, 200])
    const [last, tooMany] = await other.admit({ windows: [large], costs: [[9600], [1]] })
    expect([last?.isAdmitted, tooMany?.isAdmitted]).toEqual([true, false])
    await one.count({ windows, costs: none, lease: { ...change, spent: 50, returned: 150 } })
    expect(await other.admit({ windows: [large], costs: [[150], [1]] })).toMatchObject([
      { isAdmitted: true, states: [{ used: 10_000 }] },
      { isAdmitted: false },
    ])
  })

  it('a lease has at most a tenth of the calls that remain in each of its windows, and begins the windows', async () => {
    await using server = await startServer()
    using one = await open(server)
    const windows = [large, burst]
    const lease = { ...noChange, windows: 2, wanted: 5000 }
    const { granted, windowIds } = await one.count({ windows, costs: none, lease })
    expect(granted).toBe(1000)
    // The windows keep their ids until they end.
    const more = await one.count({ windows, costs: none, lease: { ...lease, windowIds } })
    expect(more).toMatchObject({ granted: 900, windowIds })
    expect(toUsed(await one.admit({ windows: [large], costs: [[8100]] }))).toEqual([[8100]])
    const nothing = await one.count({ windows, costs: none, lease: { ...lease, windowIds } })
    expect(nothing).toMatchObject({ granted: 0, windowIds: [] })
  })

  it('a lease of the first windows leaves the further windows of a request alone', async () => {
    await using server = await startServer()
    using one = await open(server)
    const nodes = { ...large, name: 'nodes', limit: 7 }
    const lease = { ...noChange, wanted: 100 }
    const { granted, states } = await one.count({ windows: [large, nodes], costs: [[1, 7]], lease })
    expect([granted, ...states.map(({ used }) => used)]).toEqual([100, 1, 7])
  })

  it('what is spent or returned of a lease changes no later window, and no lease of another process in it', async () => {
    await using server = await startServer()
    using one = await open(server)
    using other = await open(server)
    const ending = [{ ...large, lengthMs: 200 }]
    const { windowIds } = await one.count({ windows: ending, costs: [[0]], lease: { ...noChange, wanted: 500 } })
    expect(windowIds).toHaveLength(1)
    // These calls have room once the window with the lease has ended.
    const windows = [large]
    const admitMost = async () => (await other.admit({ windows, costs: [[9600]] }))[0]?.isAdmitted
    await expect.poll(admitMost, eventually).toBe(true)
    expect((await other.count({ windows, costs: [[0]], lease: { ...noChange, wanted: 500 } })).granted).toBe(40)
    const late = { ...noChange, windowIds, spent: 200, returned: 300, wanted: 10 }
    const { states, granted } = await one.count({ windows, costs: [[1]], lease: late })
    expect([states[0]?.used, granted]).toEqual([9601, 0])
    const last = await other.admit({ windows, costs: [[359], [1]] })
    expect(last.map(({ isAdmitted }) => isAdmitted)).toEqual([true, false])
  })

  it('a lease whose first window has ended is returned to its other windows only, and a new one is granted afterwards', async () => {
    await using server = await startServer()
    using one = await open(server)
    using other = await open(server)
    const wanting = { ...noChange, windows: 2, wanted: 500 }
    const ending = [{ ...large, lengthMs: 200 }, burst]
    const first = await one.count({ windows: ending, costs: none, lease: wanting })
    const windows = [large, burst]
    const admitMost = async () => (await other.admit({ windows: [large], costs: [[9600]] }))[0]?.isAdmitted
    await expect.poll(admitMost, eventually).toBe(true)
    const second = await other.count({ windows, costs: none, lease: wanting })
    expect(second.granted).toBe(40)
    expect(second.windowIds[0]).not.toBe(first.windowIds[0])
    expect(second.windowIds[1]).toBe(first.windowIds[1])
    const late = { ...wanting, windowIds: first.windowIds, spent: 200, returned: 300 }
    const returned = await one.count({ windows, costs: none, lease: late })
    expect([returned.granted, ...returned.states.map(({ used }) => used)]).toEqual([0, 9600, 200])
    const third = await one.count({ windows, costs: none, lease: wanting })
    expect(third).toMatchObject({ granted: 36, windowIds: second.windowIds })
    // The burst has the spent calls and the leases of both processes.
    const last = await other.admit({ windows: [burst], costs: [[20_000 - 200 - 40 - 36], [1]] })
    expect(last.map(({ isAdmitted }) => isAdmitted)).toEqual([true, false])
  })

  it('known counts raise the count beside the leased calls', async () => {
    await using server = await startServer()
    using one = await open(server)
    using other = await open(server)
    const granting = { ...noChange, wanted: 500 }
    const { states, windowIds } = await one.count({ windows: [large], costs: [[10]], lease: granting })
    const known = { ...large, lengthMs: states[0]?.endsInMs ?? 0, knownUsed: 40 }
    expect(toUsed(await other.admit({ windows: [known], costs: [[1]] }))).toEqual([[41]])
    const lease = { ...noChange, windowIds, returned: 500 }
    const returned = await one.count({ windows: [large], costs: [[0]], lease })
    expect(returned.states[0]?.used).toBe(41)
  })
}
