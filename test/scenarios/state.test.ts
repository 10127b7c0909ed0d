import { erc20Abi } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { convert } from '../harness/changePool.ts'
import { validInputs } from '../harness/validInputs.ts'
import { both } from './both.ts'
import { scenarioStacks } from './scenarioStacks.ts'
import { eventually } from '../harness/timeLimits.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'

describe.each(scenarioStacks)('on $name', ({ start }) => {
  const subject = setUp(() => start())

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
      await expect.poll(() => readHealth(subject.url), eventually).toMatchObject({ status: 'ok', chains: seen })
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

  describe('thin-pool', () => {
    it('a thin pool accepts 499 dollars, and refuses 501', async () => {
      await subject.run('thin-pool')
      expect(await preview('499')).toEqual(both('200 ok'))
      expect(await preview('501')).toEqual(both('422 svc/above-max-origin'))
      const [aud, out] = await readReserves()
      expect([(aud * 6512n) / 10_000n, out]).toEqual([1_000_000_000n, 1_000_000_000n])
      const { inputs, request } = subject
      for (const operation of ['swap.preview', 'transaction.buildConvert', 'swap.build'] as const) {
        const outcome = both('422 svc/above-max-origin')
        expect([operation, await request(operation, inputs[operation])]).toEqual([operation, outcome])
      }
    })

    it('a reset returns the withdrawn reserves of a thin pool, and keeps conversions made meanwhile', async () => {
      const before = await readReserves()
      await subject.run('thin-pool', { pool: 'tAUD/tUSD' })
      const thin = await readReserves()
      await convert(subject.chain, 'tUSD', '100')
      const converted = await readReserves()
      await subject.scenarios.reset()
      expect(converted[1]).toBe(thin[1] + 100_000_000n)
      expect(await readReserves()).toEqual([before[0] + converted[0] - thin[0], before[1] + converted[1] - thin[1]])
    })

    async function readReserves(): Promise<readonly [bigint, bigint]> {
      return await Promise.all([readReserve('tAUD'), readReserve('tUSD')])
    }

    async function readReserve(symbol: 'tAUD' | 'tUSD'): Promise<bigint> {
      const { chain, owner } = subject
      const read = { address: chain.tokens[symbol], abi: erc20Abi, functionName: 'balanceOf' } as const
      return await owner.client.readContract({ ...read, args: [chain.pools['tAUD/tUSD']] })
    }
  })

  it('pool-frozen freezes one pool, or every pool, and reads of both keep working', async () => {
    const { inputs, request, chain } = subject
    const { tEUR, tUSD } = chain.tokens
    const other = { chainId: chain.chainId, tokenIn: tEUR, tokenOut: tUSD, amountIn: '1' }
    const frozen = both('422 svc/pool-frozen')
    await subject.run('pool-frozen', { pool: 'tAUD/tUSD' })
    expect(await request('convert.preview', inputs['convert.preview'])).toEqual(frozen)
    expect(await request('convert.preview', other)).toEqual(both('200 ok'))
    await subject.run('pool-frozen')
    expect(await request('convert.preview', other)).toEqual(frozen)
    for (const operation of ['swap.preview', 'transaction.buildConvert', 'swap.build'] as const) {
      expect([operation, await request(operation, inputs[operation])]).toEqual([operation, frozen])
    }
    const overBoth = { ...inputs['transaction.buildConvert'], tokenOut: tEUR }
    expect(await request('transaction.buildConvert', overBoth)).toEqual(frozen)
    for (const operation of ['pools.list', 'pools.get', 'oracle.prices'] as const) {
      expect([operation, await request(operation, inputs[operation])]).toEqual([operation, both('200 ok')])
    }
  })

  it('dry-faucet leaves nothing to claim until a reset', async () => {
    const { inputs, request } = subject
    const claim = inputs['faucet.buildClaimAll']
    expect(await request('faucet.buildClaimAll', claim)).toEqual(both('200 ok'))
    await subject.run('dry-faucet')
    expect(await request('faucet.buildClaimAll', claim)).toEqual(both('503 svc/faucet-dry'))
    expect(await request('faucet.info', inputs['faucet.info'])).toEqual(both('200 ok'))
    await subject.recover('faucet.buildClaimAll', claim)
  })

  async function preview(amountIn: string): Promise<readonly string[]> {
    const { chain, inputs, request } = subject
    const { tUSD, tAUD } = chain.tokens
    return await request('convert.preview', { ...inputs['convert.preview'], tokenIn: tUSD, tokenOut: tAUD, amountIn })
  }

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
