import type { LocalChain } from '@agio/localnet'
import type { Hex } from 'viem'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { startAgio } from '../harness/startAgio.ts'
import { signConversion } from '../harness/signConversion.ts'
import { setUp } from '../harness/setUp.ts'

// The output of 1,000 tAUD at the initial price, and the recommended minimum.
const expectedAmountOut = '650.874400'
const minAmountOut = '650.548962'

const stack = setUp(startAgio)
let chain: LocalChain

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
})

afterEach(async () => {
  await stack.recover('convert.preview', validInputs(chain)['convert.preview'])
})

describe('between build and mining', () => {
  it.each([
    { percent: 2, price: '0.66422400', actualAmountOut: '663.891888', oracleAmountOut: '664.224000' },
    { percent: -0.04, price: '0.65093952', actualAmountOut: '650.614050', oracleAmountOut: '650.939520' },
  ])(
    'a price that moves by $percent % before mining is the price of the reported conversion',
    async ({ percent, price, ...amounts }) => {
      const signedTransaction = await sign()
      await stack.scenarios.run('price-move', { symbol: 'tAUD', percent })
      const convert = { expectedAmountOut, ...amounts, oracleRate: price, slippage: '0.0000%' }
      const sent = await broadcastConvert(signedTransaction)
      expect(sent).toMatchObject({ status: 200, data: { status: 'success', convert } })
      await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 10 })
      expect(await broadcastConvert(signedTransaction), 'the prices of its block are reported').toEqual(sent)
    },
  )

  it('a price that falls below the minimum before mining fails the transaction with the output it would have paid', async () => {
    const signedTransaction = await sign()
    await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: -0.1 })
    await expectFailed(signedTransaction, {
      code: 'svc/below-min-target',
      message: 'Cannot convert: the output 650.223525 tUSD is below the requested minimum 650.548962 tUSD',
      revert: { name: 'BelowMinTarget', args: ['650223525', '650548962'] },
    })
  })

  it('a price that becomes stale before mining fails the transaction with the oracle and the time of its last update', async () => {
    const signedTransaction = await sign()
    await stack.scenarios.run('stale-price', { symbol: 'tAUD' })
    await expectFailed(signedTransaction, {
      code: 'svc/stale-price',
      message: expect.stringContaining(chain.oracles['tAUD'] ?? ''),
      revert: { name: 'StalePrice', args: [chain.oracles['tAUD'], expect.stringMatching(/^\d{10}$/), '3600'] },
    })
  })

  it('a pool that is frozen before mining fails the transaction', async () => {
    const signedTransaction = await sign()
    await stack.scenarios.run('pool-frozen', { pool: 'tAUD/tUSD' })
    const revert = { name: 'Frozen', args: [] }
    await expectFailed(signedTransaction, { code: 'svc/pool-frozen', message: expect.any(String), revert })
  })

  it('a pool whose liquidity shrinks before mining fails the transaction with the new limit of the pool', async () => {
    const signedTransaction = await sign()
    await stack.scenarios.run('thin-pool', { pool: 'tAUD/tUSD' })
    await expectFailed(signedTransaction, {
      code: 'svc/above-max-origin',
      message: 'Cannot convert 1000.000000 tAUD: the limit is 767.813267 tAUD',
      revert: { name: 'AboveMaxOrigin', args: ['1000000000', '767813267'] },
    })
  })

  it.each([
    ['first', 'tAUD/tUSD', '1000000000'],
    ['second', 'tEUR/tUSD', '650874400'],
  ])(
    'the %s of two pools whose liquidity shrinks before mining fails the transaction without a limit, which both pools decide',
    async (_, pool, paid) => {
      const signedTransaction = await sign({ tokenOut: chain.tokens['tEUR'], minAmountOut: '599' })
      await stack.scenarios.run('thin-pool', { pool })
      await expectFailed(signedTransaction, {
        code: 'svc/above-max-origin',
        message: 'Cannot convert 1000.000000 tAUD: it is above the limit',
        revert: { name: 'AboveMaxOrigin', args: [paid, expect.any(String)] },
      })
    },
  )

  /** Calls an operation over REST and tRPC, and returns the result, which must be the same. */
  async function request(operation: string, input: Readonly<Record<string, unknown>>) {
    const [overRest, overTrpc] = await Promise.all(Object.values(stack.callers).map((call) => call(operation, input)))
    expect(overTrpc).toEqual(overRest)
    return overRest
  }
  async function broadcastConvert(signedTransaction: Hex) {
    const { tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.preview']
    const terms = { tokenIn, tokenOut, amountIn, expectedAmountOut }
    return await request('transaction.broadcastConvert', { signedTransaction, ...terms })
  }

  /** Expects both broadcasts and the status to report the same failure, without conversion details. */
  async function expectFailed(signedTransaction: Hex, failure: object): Promise<void> {
    const sent = await broadcastConvert(signedTransaction)
    expect(sent).toMatchObject({ status: 200, data: { status: 'failed', failure } })
    expect(sent?.data).not.toHaveProperty('convert')
    expect(await request('transaction.broadcast', { signedTransaction })).toEqual(sent)
    const { transactionHash, ...outcome } = sent?.data ?? {}
    expect((await request('transaction.status', { transactionHash }))?.data).toMatchObject(outcome)
  }
})

/** A conversion of 1,000 tAUD, built and signed at the initial price. */
async function sign(change: Readonly<Record<string, unknown>> = {}): Promise<Hex> {
  return (await signConversion(chain, stack.callers.REST, { minAmountOut, ...change })).signedTransaction
}
