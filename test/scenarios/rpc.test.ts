import type { ChainId } from '@agio/core'
import type { ScenarioName } from '@agio/localnet'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { validInputs } from '../contract/validInputs.ts'
import { both } from './both.ts'
import { connectOwner } from '../stack/connectOwner.ts'
import { adminKey } from '../stack/settingsFor.ts'
import { scenarioStacks, type Subject } from './scenarioStacks.ts'

/** What asks the node, whatever is known already. */
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

/** What goes on from the block that was read last. */
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
    subject = await start({ snapshotMaxAgeMs: 2500 })
    await expectWell()
  })

  afterAll(() => subject?.[Symbol.asyncDispose]())

  afterEach(async () => {
    await subject.recover('approval.check', subject.inputs['approval.check'])
    await expectWell()
  })

  it.each(['rpc-down', 'rpc-rate-limited', 'rpc-garbage'] as const)(
    '%s leaves the node’s own port and the other chain alone',
    async (name) => {
      await subject.run(name)
      expect(await subject.ask('approval.check', subject.inputs['approval.check'])).toEqual(both(outcomes[name]))
      expect(await connectOwner(subject.chain).client.getChainId()).toBe(subject.chain.chainId)
      const there = validInputs(subject.other)['approval.check']
      expect(await subject.ask('approval.check', there)).toEqual(both('200 ok'))
    },
  )

  it('rpc-down, and rpc-garbage on the other chain, fail every read at once, and previews once their block is too old', async () => {
    const faults = [
      [subject.chain.chainId, 'rpc-down'],
      [subject.other.chainId, 'rpc-garbage'],
    ] as const
    for (const [chainId, fault] of faults) await subject.run(fault, { chainId })
    for (const [chainId, fault] of faults) {
      expect(await askAll(chainId, reads)).toEqual(allOf(reads, outcomes[fault]))
      expect(await askAll(chainId, previews)).toEqual(allOf(previews, '200 ok'))
    }
    for (const [chainId, fault] of faults) await expectPreviewsEnd(chainId, fault)
  })

  describe('rpc-slow', () => {
    it('below the time limit is waited for', async () => {
      await subject.run('rpc-slow', { ms: 700 })
      const startedAtMs = performance.now()
      expect(await subject.ask('approval.check', subject.inputs['approval.check'])).toEqual(both('200 ok'))
      expect(performance.now() - startedAtMs).toBeGreaterThan(690)
    })

    it('beyond it is 504 within ten seconds from every read, and reset lets go what it holds back', async () => {
      await subject.run('rpc-slow', { ms: 60_000 })
      await subject.run('rpc-rate-limited', { chainId: subject.other.chainId })
      const startedAtMs = performance.now()
      expect(await askAll(subject.chain.chainId, reads)).toEqual(allOf(reads, outcomes['rpc-slow']))
      expect(performance.now() - startedAtMs).toBeLessThan(10_000)
      await expectPreviewsEnd(subject.chain.chainId, 'rpc-slow')
      await expectPreviewsEnd(subject.other.chainId, 'rpc-rate-limited')
      const down = { status: 'down', chains: [{ status: 'unreachable' }, { status: 'unreachable' }] }
      await expect.poll(readHealth, { timeout: 5000 }).toMatchObject(down)
    })
  })

  it('the last rpc fault counts, and a fault on the chain is put in place behind it all the same', async () => {
    await subject.run('rpc-garbage')
    await subject.run('rpc-down')
    const ask = () => subject.ask('convert.preview', subject.inputs['convert.preview'])
    expect(await subject.ask('approval.check', subject.inputs['approval.check'])).toEqual(both(outcomes['rpc-down']))
    await subject.run('pool-frozen')
    await subject.run('rpc-slow', { ms: 0 })
    await expect.poll(ask, { timeout: 5000 }).toEqual(both('422 svc/pool-frozen'))
  })

  describe('a node that the service leaves alone after a scenario', () => {
    const ask = () => subject.ask('approval.check', subject.inputs['approval.check'])
    const untilLeftAlone = async () => {
      const isUp = async () => {
        await ask()
        const headers = { 'x-admin-key': adminKey }
        return await (await fetch(`${subject.url}/metrics`, { headers })).text()
      }
      const figure = `agio_chain_node_up{chain="${subject.chain.chainId}",node="1"} 0`
      await expect.poll(isUp, { timeout: 15_000 }).toContain(figure)
    }

    it('is asked again at once after reset', async () => {
      await subject.run('rpc-down')
      await untilLeftAlone()
      await subject.scenarios.reset()
      expect(await ask()).toEqual(both('200 ok'))
    })

    it('has the next fault met by the very next read', async () => {
      await subject.run('rpc-down')
      await untilLeftAlone()
      expect(await ask()).toEqual(both(outcomes['rpc-down']))
      await subject.run('rpc-garbage')
      expect(await ask()).toEqual(both(outcomes['rpc-garbage']))
    })
  })

  type Operation = (typeof reads)[number] | (typeof previews)[number]

  async function askAll(chainId: ChainId, operations: readonly Operation[]) {
    const inputs = validInputs(subject.chain.chainId === chainId ? subject.chain : subject.other)
    const asked = operations.map(async (operation) => [operation, await subject.ask(operation, inputs[operation])])
    return await Promise.all(asked)
  }

  async function expectPreviewsEnd(chainId: ChainId, fault: ScenarioName & keyof typeof outcomes): Promise<void> {
    const expected = allOf(previews, outcomes[fault])
    await expect.poll(() => askAll(chainId, previews), { timeout: 12_000, interval: 200 }).toEqual(expected)
  }

  async function expectWell(): Promise<void> {
    // A chain that nobody has asked about is looked at once a second.
    await vi.waitFor(async () => {
      expect(await readHealth()).toMatchObject({ status: 'ok', chains: [{ status: 'ok' }, { status: 'ok' }] })
    }, 5000)
    for (const { chainId } of [subject.chain, subject.other]) {
      expect(await askAll(chainId, previews)).toEqual(allOf(previews, '200 ok'))
    }
  }

  async function readHealth(): Promise<unknown> {
    return await (await fetch(`${subject.url}/health`)).json()
  }
})

function allOf(operations: readonly string[], outcome: string): readonly unknown[] {
  return operations.map((operation) => [operation, both(outcome)])
}
