import { expect, it } from 'vitest'
import { startAgio } from '../harness/startAgio.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { setUp } from '../harness/setUp.ts'
import { startReceiver } from './startReceiver.ts'

const describeMarkets = await describeWith(['PostgreSQL'], 'the events of markets')

describeMarkets('the events of markets', () => {
  const database = setUp(createDatabase)
  const receiver = setUp(startReceiver)
  const stack = setUp(async () => {
    const presetKeys = [{ id: 'key_markets', secret: 'key-of-the-test-suite', tier: 'local' }] as const
    const started = await startAgio({ databaseUrl: database.url, webhookTargets: 'local', presetKeys })
    const events = ['market.stale', 'market.frozen', 'market.reopened']
    await started.callers.REST('webhooks.create', { url: receiver.url, events })
    return started
  })

  const readStates = async () =>
    (await database.query<{ state: string }>('select state from market_states')).map(({ state }) => state)

  /** Waits for the next event of the pool of tAUD. */
  async function expectNext(count: number, expected: Readonly<Record<string, unknown>>): Promise<void> {
    const pool = stack.localnet.chains[84532].pools['tAUD/tUSD']
    const list = () => receiver.events().filter(({ data }) => data['poolAddress'] === pool)
    await expect.poll(() => list().length, eventually).toBe(count)
    expect(list().at(-1)).toMatchObject(expected)
  }

  it('the first observation of a market is not a change', async () => {
    const pools = Object.values(stack.localnet.chains).flatMap((chain) => Object.values(chain.pools))
    await expect.poll(() => readStates(), eventually).toEqual(pools.map(() => 'open'))
    expect(receiver.messages).toEqual([])
  })

  it('a market that becomes stale or frozen is delivered with its reason, and once more when it is reopened', async () => {
    await stack.scenarios.run('stale-price', { symbol: 'tAUD' })
    await expectNext(1, {
      type: 'market.stale',
      data: {
        chainId: 84532,
        name: 'tAUD/tUSD',
        reason: 'price-not-updated',
        blockNumber: expect.any(Number) as number,
      },
    })
    await stack.scenarios.reset()
    await expectNext(2, { type: 'market.reopened', data: { reason: 'price-updated' } })
    await stack.scenarios.run('pool-frozen')
    await expectNext(3, { type: 'market.frozen', data: { reason: 'frozen' } })
    await stack.scenarios.reset()
    await expectNext(4, { type: 'market.reopened', data: { reason: 'unfrozen' } })
  })

  it('a stale market that is closed is delivered with the time at which it opens', async () => {
    await stack.scenarios.run('market-closed', { symbol: 'tAUD' })
    await stack.scenarios.run('stale-price', { symbol: 'tAUD' })
    await expectNext(5, {
      type: 'market.stale',
      data: { reason: 'market-closed', opensAt: expect.stringMatching(/^20/) as string },
    })
    await stack.scenarios.reset()
    await expectNext(6, { type: 'market.reopened' })
  })

  it('a market whose feeds are faulty is delivered as stale, with the feed and the kind of its fault', async () => {
    const { sequencerFeed, referenceFeed, oracles } = stack.localnet.chains[84532]
    const faults = [
      ['price-jump', 'price-out-of-bounds', oracles.tAUD],
      ['sequencer-down', 'sequencer-down', sequencerFeed],
      ['depeg', 'reference-depegged', referenceFeed],
    ] as const
    for (const [index, [scenario, reason, oracle]] of faults.entries()) {
      await stack.scenarios.run(scenario)
      await expectNext(7 + 2 * index, { type: 'market.stale', data: { reason, oracle } })
      await stack.scenarios.reset()
      await expectNext(8 + 2 * index, { type: 'market.reopened' })
    }
  })
})
