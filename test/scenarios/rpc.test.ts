import { Network } from '@agio/core'
import type { ScenarioName } from '@agio/localnet'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { advanceClock } from '../harness/advanceClock.ts'
import { perChain } from '../harness/networks.ts'
import { validInputs } from '../harness/validInputs.ts'
import { both } from './both.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import { scenarioStacks, type Subject } from './scenarioStacks.ts'

const snapshotMaxAgeMs = 600_000

/** Operations that always send a request to the node. */
const reads = [
  'approval.check',
  'approval.build',
  'approval.revoke',
  'liquidity.previewDeposit',
  'liquidity.previewWithdraw',
  'transaction.buildConvert',
  'swap.build',
  'transaction.nonce',
  'faucet.info',
  'faucet.buildClaimAll',
] as const

/** Operations that use the last block that was read. */
const previews = ['convert.preview', 'swap.preview', 'pools.list', 'pools.get', 'oracle.prices'] as const

const outcomes = {
  'rpc-down': '503 svc/upstream-unavailable',
  'rpc-rate-limited': '503 svc/upstream-unavailable',
  'rpc-garbage': '502 svc/upstream-error',
  'rpc-slow': '504 svc/upstream-timeout',
} as const

describe.each(scenarioStacks)('on $name', ({ start }) => {
  let subject: Subject

  beforeAll(async () => {
    subject = await start({ snapshotMaxAgeMs })
    await expectRecovered()
  })

  afterAll(async () => {
    await subject?.[Symbol.asyncDispose]()
    vi.restoreAllMocks()
  })

  afterEach(async () => {
    await subject.recover('approval.check', subject.inputs['approval.check'])
    await expectRecovered()
  })

  it.each(['rpc-down', 'rpc-rate-limited', 'rpc-garbage'] as const)(
    '%s affects neither the node’s own port nor the other chain',
    async (name) => {
      await subject.run(name)
      expect(await subject.request('approval.check', subject.inputs['approval.check'])).toEqual(both(outcomes[name]))
      expect(await connectOwner(subject.chain).client.getChainId()).toBe(subject.chain.chainId)
      const there = validInputs(subject.other)['approval.check']
      expect(await subject.request('approval.check', there)).toEqual(both('200 ok'))
    },
  )

  it('rpc-down, and rpc-garbage on the other chain, fail every read at once, and previews once their block is too old', async () => {
    const faults = [
      [subject.chain.chainId, 'rpc-down'],
      [subject.other.chainId, 'rpc-garbage'],
    ] as const
    for (const [chainId, fault] of faults) await subject.run(fault, { chainId })
    for (const [chainId] of faults) expect(await requestAll(chainId, previews)).toEqual(allOf(previews, '200 ok'))
    for (const [chainId, fault] of faults)
      expect(await requestAll(chainId, reads)).toEqual(allOf(reads, outcomes[fault]))
    for (const [chainId, fault] of faults) await expectPreviewsEnd(chainId, fault)
  })

  describe('rpc-slow', () => {
    it('a request waits for an rpc-slow below the time limit', async () => {
      await subject.run('rpc-slow', { ms: 700 })
      const startedAtMs = performance.now()
      expect(await subject.request('approval.check', subject.inputs['approval.check'])).toEqual(both('200 ok'))
      expect(performance.now() - startedAtMs).toBeGreaterThan(690)
    })

    it('an rpc-slow beyond the time limit fails every read with 504, and a reset releases the requests that it holds', async () => {
      await subject.run('rpc-slow', { ms: 60_000 })
      const others = Network.chainIds.filter((chainId) => chainId !== subject.chain.chainId)
      for (const chainId of others) await subject.run('rpc-rate-limited', { chainId })
      expect(await requestAll(subject.chain.chainId, reads)).toEqual(allOf(reads, outcomes['rpc-slow']))
      await expectPreviewsEnd(subject.chain.chainId, 'rpc-slow')
      await expectPreviewsEnd(subject.other.chainId, 'rpc-rate-limited')
      const down = { status: 'down', chains: perChain({}, { status: 'unreachable' }) }
      await expect.poll(() => readHealth(subject.url)).toMatchObject(down)
    })
  })

  it('a new rpc fault replaces the previous one, and faults of the chain can be injected behind it', async () => {
    await subject.run('rpc-garbage')
    await subject.run('rpc-down')
    const request = () => subject.request('convert.preview', subject.inputs['convert.preview'])
    expect(await subject.request('approval.check', subject.inputs['approval.check'])).toEqual(
      both(outcomes['rpc-down']),
    )
    await subject.run('pool-frozen')
    await subject.run('rpc-slow', { ms: 0 })
    await expect.poll(request).toEqual(both('422 svc/pool-frozen'))
  })

  describe('a node whose circuit a scenario has opened', () => {
    const request = () => subject.request('approval.check', subject.inputs['approval.check'])
    const waitUntilEjected = async () => {
      const readMetrics = async () => {
        await request()
        const headers = { 'x-admin-key': adminKey }
        return await (await fetch(`${subject.url}/metrics`, { headers })).text()
      }
      const metric = `agio_chain_node_up{chain="${subject.chain.chainId}",node="1"} 0`
      await expect.poll(readMetrics).toContain(metric)
    }

    it('a node whose circuit a scenario has opened is used again by the first request after a reset', async () => {
      await subject.run('rpc-down')
      await waitUntilEjected()
      await subject.scenarios.reset()
      expect(await request()).toEqual(both('200 ok'))
    })

    it('a new rpc fault affects the very next read of a node whose circuit is open', async () => {
      await subject.run('rpc-down')
      await waitUntilEjected()
      expect(await request()).toEqual(both(outcomes['rpc-down']))
      await subject.run('rpc-garbage')
      expect(await request()).toEqual(both(outcomes['rpc-garbage']))
    })
  })

  type Operation = (typeof reads)[number] | (typeof previews)[number]

  async function requestAll(chainId: Network.ChainId, operations: readonly Operation[]) {
    const inputs = validInputs(subject.chain.chainId === chainId ? subject.chain : subject.other)
    const requested = operations.map(async (operation) => [
      operation,
      await subject.request(operation, inputs[operation]),
    ])
    return await Promise.all(requested)
  }

  async function expectPreviewsEnd(
    chainId: Network.ChainId,
    fault: ScenarioName & keyof typeof outcomes,
  ): Promise<void> {
    const expected = allOf(previews, outcomes[fault])
    advanceClock(snapshotMaxAgeMs)
    await expect.poll(() => requestAll(chainId, previews), { ...eventually, interval: 200 }).toEqual(expected)
  }

  async function expectRecovered(): Promise<void> {
    // An idle chain is polled too.
    await vi.waitFor(async () => {
      const healthy = { status: 'ok', chains: perChain({}, { status: 'ok' }) }
      expect(await readHealth(subject.url)).toMatchObject(healthy)
    }, eventually)
    for (const { chainId } of [subject.chain, subject.other]) {
      expect(await requestAll(chainId, previews)).toEqual(allOf(previews, '200 ok'))
    }
  }
})

function allOf(operations: readonly string[], outcome: string): readonly unknown[] {
  return operations.map((operation) => [operation, both(outcome)])
}
