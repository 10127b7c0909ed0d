import { erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { convert } from '../harness/changePool.ts'
import { both } from './both.ts'
import { scenarioStacks, type Subject } from './scenarioStacks.ts'

describe.each(scenarioStacks)('on $name', ({ start }) => {
  let subject: Subject

  beforeAll(async () => {
    subject = await start()
  })

  afterAll(() => subject?.[Symbol.asyncDispose]())

  afterEach(async () => {
    await subject.recover('convert.preview', subject.inputs['convert.preview'])
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
})
