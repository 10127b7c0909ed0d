import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'
import { poolAbi } from '@agio/chain/abi'
import { both } from './both.ts'
import { scenarioStacks } from './scenarioStacks.ts'

const operations = ['convert.preview', 'swap.preview', 'transaction.buildConvert', 'convert.quote'] as const

describe.each(scenarioStacks)('on $name', ({ start }) => {
  const subject = setUp(() => start())

  afterEach(async () => {
    await subject.recover('convert.preview', subject.inputs['convert.preview'])
    await expectRestored()
  })

  it('sequencer-down refuses every conversion, and pools, prices and health show it', async () => {
    const done = await subject.run('sequencer-down')
    expect(done).toMatchObject({ codes: ['svc/stale-price'] })
    await expectRefused('422 svc/stale-price')
    await expectFailure({ reason: 'sequencer', oracle: subject.chain.sequencerFeed })
    const stale = { stale: true, reason: 'sequencer' }
    await expectPrices({ tAUD: stale, tEUR: stale, tUSD: { stale: false } })
    await expectPool({ token0: stale, token1: { stale: false } })
    await expectFaulty([{ feed: subject.chain.sequencerFeed, reason: 'sequencer' }])
  })

  it('price-jump of one token refuses its conversions, and no other, until the reset', async () => {
    await subject.run('price-jump', { symbol: 'tAUD' })
    await expectRefused('422 svc/stale-price')
    await expectFailure({ reason: 'bounds', oracle: subject.chain.oracles.tAUD })
    const stale = { stale: true, reason: 'bounds' }
    await expectPrices({ tAUD: { usd: '6.51200000', ...stale }, tEUR: { stale: false }, tUSD: { stale: false } })
    await expectPool({ token0: stale, token1: { stale: false } })
    await expectFaulty([{ feed: subject.chain.oracles.tAUD, reason: 'bounds' }])
    const { tEUR, tUSD } = subject.chain.tokens
    const ofEuro = { chainId: subject.chain.chainId, tokenIn: tEUR, tokenOut: tUSD, amountIn: '1' }
    expect(await subject.request('convert.preview', ofEuro)).toEqual(both('200 ok'))
  })

  it.each([
    [5.001, 'bounds'],
    [5, 'step'],
    [1.1001, 'step'],
    [1.1, undefined],
    [0.9, undefined],
    [0.8999, 'step'],
    [0.2, 'step'],
    [0.1999, 'bounds'],
  ])(
    'price-jump by the factor %d is refused with the reason %s, by the bounds and the step of the reader',
    async (...row) => {
      const [factor, reason] = row
      await subject.run('price-jump', { symbol: 'tAUD', factor })
      await expectPrices({ tAUD: { stale: reason !== undefined, ...(reason && { reason }) } })
      const outcome = reason ? '422 svc/stale-price' : '200 ok'
      expect(await subject.request('convert.preview', subject.inputs['convert.preview'])).toEqual(both(outcome))
    },
  )

  it('depeg refuses every conversion with its own code, and pools, prices and health show it', async () => {
    await subject.run('depeg')
    await expectRefused('422 svc/reference-depegged')
    const feed = subject.chain.referenceFeed
    await expectFailure({ feed, answer: '0.95000000', minAnswer: '0.98000000', maxAnswer: '1.02000000' })
    const stale = { stale: true, reason: 'depeg', usd: '1.00' }
    await expectPrices({ tAUD: { stale: false }, tEUR: { stale: false }, tUSD: stale })
    await expectPool({ token0: { stale: false }, token1: stale })
    await expectFaulty([{ feed, reason: 'depeg' }])
  })

  it.each([
    [2, '200 ok'],
    [2.0001, '422 svc/reference-depegged'],
    [-2, '200 ok'],
    [-2.0001, '422 svc/reference-depegged'],
  ])('depeg by %d percent leads to %s, by the band of the reader', async (percent, outcome) => {
    await subject.run('depeg', { percent })
    expect(await subject.request('convert.preview', subject.inputs['convert.preview'])).toEqual(both(outcome))
  })

  it.each([
    ['sequencer-down', {}, /SequencerDown/],
    ['price-jump', {}, /PriceOutOfBounds/],
    ['price-jump', { factor: 1.73 }, /PriceStepTooLarge/],
    ['depeg', {}, /ReferenceDepegged/],
  ] as const)(
    'during %s %o the pool itself refuses the conversion that the preview refuses, with %s',
    async (name, options, error) => {
      const { chain, owner } = subject
      await subject.run(name, options)
      expect(await subject.request('convert.preview', subject.inputs['convert.preview'])).not.toEqual(both('200 ok'))
      const [tokenIn, tokenOut] = [chain.tokens.tAUD, chain.tokens.tUSD]
      const address = chain.pools['tAUD/tUSD']
      const view = {
        address,
        abi: poolAbi,
        functionName: 'viewOriginSwap',
        args: [tokenIn, tokenOut, 1_000_000n],
      } as const
      await expect(owner.client.readContract(view)).rejects.toThrow(error)
    },
  )

  async function expectRefused(failure: string): Promise<void> {
    for (const operation of operations) {
      expect([operation, await subject.request(operation, subject.inputs[operation])]).toEqual([
        operation,
        both(failure),
      ])
    }
  }

  async function expectFailure(details: object): Promise<void> {
    const { status, failure } = await subject.callers.REST('convert.preview', subject.inputs['convert.preview'])
    expect({ status, failure }).toMatchObject({ status: 422, failure: details })
  }

  async function expectPrices(prices: object): Promise<void> {
    for (const call of Object.values(subject.callers)) {
      const response = await call('oracle.prices', subject.inputs['oracle.prices'])
      expect(response).toMatchObject({ status: 200, data: { prices } })
    }
  }

  async function expectPool(oracles: object): Promise<void> {
    const { status, data } = await subject.callers.REST('pools.get', subject.inputs['pools.get'])
    expect({ status, data }).toMatchObject({ status: 200, data: { oracles } })
    expect(data).not.toHaveProperty('maxAmountIn')
  }

  async function expectFaulty(faultyFeeds: readonly object[]): Promise<void> {
    const { chainId } = subject.chain
    const chains = expect.arrayContaining([
      expect.objectContaining({ chainId, status: 'degraded', faultyFeeds }),
      expect.objectContaining({ chainId: subject.other.chainId, status: 'ok' }),
    ]) as unknown
    await expect.poll(() => readHealth(subject.url), eventually).toMatchObject({ status: 'degraded', chains })
  }

  async function expectRestored(): Promise<void> {
    const { status, data } = await subject.callers.REST('convert.preview', subject.inputs['convert.preview'])
    expect({ status, data }).toMatchObject({ status: 200, data: { amountOut: '650.874400' } })
  }
})
