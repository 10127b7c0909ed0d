import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { both } from './both.ts'
import { scenarioStacks, type Subject } from './scenarioStacks.ts'
import { readHealth } from '../harness/waitForBlock.ts'

describe.each(scenarioStacks)('on $name', ({ start }) => {
  let subject: Subject

  beforeAll(async () => {
    subject = await start()
  })

  afterAll(() => subject?.[Symbol.asyncDispose]())

  beforeEach(expectRestored)

  afterEach(async () => {
    await subject.recover('convert.preview', subject.inputs['convert.preview'])
    await expectRestored()
  })

  describe('stale-price', () => {
    const stale = both('422 svc/stale-price')

    it('stale-price makes every price too old, and leaves the clock of the chain unchanged', async () => {
      const { chain, owner, inputs, request } = subject
      const { timestamp } = await owner.client.getBlock()
      const done = await subject.run('stale-price')
      expect(done).toMatchObject({
        scenario: 'stale-price',
        chainId: chain.chainId,
        codes: ['svc/stale-price'],
      })
      for (const operation of ['convert.preview', 'swap.preview', 'transaction.buildConvert', 'swap.build'] as const) {
        expect([operation, await request(operation, inputs[operation])]).toEqual([operation, stale])
      }
      expect(
        await request('convert.preview', { ...inputs['convert.preview'], ...reversed(), poolAddress: undefined }),
      ).toEqual(stale)
      expect(await request('convert.preview', validInputs(subject.other)['convert.preview'])).toEqual(both('200 ok'))
      expect(Number((await owner.client.getBlock()).timestamp - timestamp)).toBeLessThan(60)
      const { blockNumber } = done
      const seen = expect.arrayContaining([expect.objectContaining({ chainId: chain.chainId, blockNumber })]) as unknown
      expect(await readHealth(subject.url)).toMatchObject({ status: 'ok', chains: seen })
    })

    it('prices and pools can be read during stale-price, and report it', async () => {
      await subject.run('stale-price', { symbol: 'tAUD' })
      for (const call of Object.values(subject.callers)) {
        const prices = { tAUD: { stale: true }, tEUR: { stale: false }, tUSD: { stale: false } }
        expect(await call('oracle.prices', subject.inputs['oracle.prices'])).toMatchObject({
          status: 200,
          data: { prices },
        })
        const { status, data } = await call('pools.get', subject.inputs['pools.get'])
        expect({ status, data }).toMatchObject({ status: 200, data: { oracles: { token0: { stale: true } } } })
        expect(data).not.toHaveProperty('maxAmountIn')
      }
    })

    it('stale-price of one token, or of one chain, changes no other', async () => {
      const { chain, other, inputs, request } = subject
      await subject.run('stale-price', { symbol: 'tEUR' })
      expect(await request('convert.preview', inputs['convert.preview'])).toEqual(both('200 ok'))
      await subject.run('stale-price', { chainId: other.chainId })
      const there = validInputs(other)['convert.preview']
      expect(await request('convert.preview', there)).toEqual(stale)
      await subject.scenarios.reset({ chainId: other.chainId })
      expect(await request('convert.preview', there)).toEqual(both('200 ok'))
      const { tEUR, tUSD } = chain.tokens
      const ofEuro = { chainId: chain.chainId, tokenIn: tEUR, tokenOut: tUSD, amountIn: '1' }
      expect(await request('convert.preview', ofEuro)).toEqual(stale)
    })
  })

  describe('price-move', () => {
    it.each([
      [-5, '618.330680'],
      [12.5, '732.233700'],
    ])('a price-move of %d percent moves the preview by as much', async (percent, amountOut) => {
      await subject.run('price-move', { symbol: 'tAUD', percent })
      expect(await previewOut()).toEqual(both(amountOut))
    })

    it.each([400.1, -80.1])(
      'error: svc/stale-price after a price-move of %d percent, beyond the bounds of the reader',
      async (percent) => {
        await subject.run('price-move', { symbol: 'tAUD', percent })
        const { failure } = await subject.callers.REST('convert.preview', subject.inputs['convert.preview'])
        expect(failure).toMatchObject({ code: 'svc/stale-price', reason: 'bounds' })
      },
    )

    it('a build with a minimum at the old price is refused after a price-move against the caller', async () => {
      const build = subject.inputs['transaction.buildConvert']
      expect(await subject.request('transaction.buildConvert', build)).toEqual(both('200 ok'))
      await subject.run('price-move', { symbol: 'tAUD', percent: -1 })
      expect(await subject.request('transaction.buildConvert', build)).toEqual(both('422 svc/below-min-target'))
    })

    it('price moves are cumulative, and keep the age of the prices', async () => {
      await subject.run('price-move', { symbol: 'tAUD', percent: 100 })
      await subject.run('price-move', { symbol: 'tAUD', percent: -75 })
      expect(await previewOut()).toEqual(both('325.437200'))
      await subject.run('stale-price')
      await subject.run('price-move', { symbol: 'tAUD', percent: 1 })
      expect(await subject.request('convert.preview', subject.inputs['convert.preview'])).toEqual(
        both('422 svc/stale-price'),
      )
    })
  })

  function reversed() {
    return { tokenIn: subject.chain.tokens.tUSD, tokenOut: subject.chain.tokens.tAUD }
  }

  async function previewOut(): Promise<readonly unknown[]> {
    const calls = Object.values(subject.callers).map((call) =>
      call('convert.preview', subject.inputs['convert.preview']),
    )
    return (await Promise.all(calls)).map(({ data }) => data?.['amountOut'])
  }

  async function expectRestored(): Promise<void> {
    expect(await previewOut()).toEqual(both('650.874400'))
  }
})
