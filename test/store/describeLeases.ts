import { expect, it } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { minuteMs, open, toUsed, type CountingServer } from './openCountingStore.ts'

const large = { name: 'large', limit: 10_000, lengthMs: minuteMs, knownUsed: 0, unsynced: [] }
const burst = { ...large, name: 'burst', limit: 20_000 }
const noChange = { windows: 1, spent: 0, returned: 0, wanted: 0 }
const none = [[0, 0]]

/**
 * Describes the tests of leases that every `CountingStore` passes.
 *
 * @param startServer starts a server without any counts
 */
export function describeLeases(startServer: () => Promise<CountingServer>): void {
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
    const change = { windows: 2, spent: 0, returned: 0, wanted: 0 }
    expect((await one.count({ windows, costs: none, lease: { ...change, wanted: 500 } })).granted).toBe(500)
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
    const lease = { windows: 2, spent: 0, returned: 0, wanted: 5000 }
    expect((await one.count({ windows: [large, burst], costs: none, lease })).granted).toBe(1000)
    expect((await one.count({ windows: [large, burst], costs: none, lease })).granted).toBe(900)
    expect(toUsed(await one.admit({ windows: [large], costs: [[8100]] }))).toEqual([[8100]])
    expect((await one.count({ windows: [large, burst], costs: none, lease })).granted).toBe(0)
  })

  it('a lease of the first windows leaves the further windows of a request alone', async () => {
    await using server = await startServer()
    using one = await open(server)
    const nodes = { ...large, name: 'nodes', limit: 7 }
    const lease = { ...noChange, wanted: 100 }
    const { granted, states } = await one.count({ windows: [large, nodes], costs: [[1, 7]], lease })
    expect([granted, ...states.map(({ used }) => used)]).toEqual([100, 1, 7])
  })

  it('what is spent or returned of a lease changes no later window', async () => {
    await using server = await startServer()
    using one = await open(server)
    using other = await open(server)
    const windows = [{ ...large, lengthMs: 500 }]
    expect((await one.count({ windows, costs: [[0]], lease: { ...noChange, wanted: 500 } })).granted).toBe(500)
    // These calls have room once the window with the lease has ended.
    const admitMost = async () => (await other.admit({ windows, costs: [[9900]] }))[0]?.isAdmitted
    await expect.poll(admitMost, eventually).toBe(true)
    const { states } = await one.count({ windows, costs: [[1]], lease: { ...noChange, spent: 200, returned: 300 } })
    expect(states[0]?.used).toBe(9901)
  })

  it('known counts raise the count beside the leased calls', async () => {
    await using server = await startServer()
    using one = await open(server)
    using other = await open(server)
    const { states } = await one.count({ windows: [large], costs: [[10]], lease: { ...noChange, wanted: 500 } })
    const known = { ...large, lengthMs: states[0]?.endsInMs ?? 0, knownUsed: 40 }
    expect(toUsed(await other.admit({ windows: [known], costs: [[1]] }))).toEqual([[41]])
    const returned = await one.count({ windows: [large], costs: [[0]], lease: { ...noChange, returned: 500 } })
    expect(returned.states[0]?.used).toBe(41)
  })
}
