import type { LocalChain } from '@agio/localnet'
import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Unsigned } from '../harness/createWallet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { createPayer } from '../harness/createPayer.ts'
import { executeQuote, requestQuote } from '../harness/executeQuote.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

const stack = setUp(startAgio)
let chain: LocalChain

beforeAll(() => void (chain = stack.localnet.chains[84532]))

afterEach(async () => {
  await stack.recover('convert.preview', validInputs(chain)['convert.preview'])
})

const pair = () => ({ chainId: 84532, tokenIn: chain.tokens['tAUD'], tokenOut: chain.tokens['tUSD'] })

const movePrice = (percent: number) => stack.scenarios.run('price-move', { symbol: 'tAUD', percent })

describe.each(partOf(['REST', 'tRPC'] as const))('a quote against the market (%s)', (transport) => {
  const call = (...args: Parameters<AgioStack['callers']['REST']>) => stack.callers[transport](...args)

  /** Requests a quote, and returns its build and its broadcast by a wallet that can pay it. */
  async function prepare(input: Omit<Parameters<typeof requestQuote>[1], keyof ReturnType<typeof pair>>) {
    const { quote, spender, tokenIn } = await requestQuote(call, { ...pair(), ...input })
    const payer = await createPayer(chain, { token: tokenIn.address, amountRaw: 10n ** 10n, spender })
    return {
      build: async () => await call('transaction.buildConvert', { quote, userAddress: payer.address }),
      async broadcast(unsigned: unknown) {
        const signedTransaction = await payer.sign(call, unsigned as Unsigned)
        return await call('transaction.broadcastConvert', { quote, signedTransaction })
      },
    }
  }

  it.each([
    {
      outcome: 'an exact input pays more when the price rises',
      input: { amountIn: '1000' },
      percent: 2,
      now: { amountOutNow: '663.891888' },
      convert: { expectedAmountOut: '650.874400', actualAmountOut: '663.891888', amountIn: '1000.000000' },
    },
    {
      outcome: 'an exact output costs less when the price rises',
      input: { amountOut: '650.874400' },
      percent: 2,
      now: { amountInNow: '980.392157' },
      convert: { amountIn: '980.392157', expectedAmountIn: '1000.000000', actualAmountOut: '650.874400' },
    },
    {
      outcome: 'its own tolerance is executed at a worse price',
      input: { amountIn: '1000', slippageBps: 5000 },
      percent: -40,
      now: { amountOutNow: '390.524640' },
      convert: { actualAmountOut: '390.524640' },
    },
  ])('a quote of $outcome before it is mined', async ({ input, percent, now, convert }) => {
    const { build, broadcast } = await prepare(input)
    await movePrice(percent)
    const built = await build()
    expect(built).toMatchObject({ status: 200, data: { issues: [], ...now } })
    expect(built.data).not.toHaveProperty('amountOutNow' in now ? 'amountInNow' : 'amountOutNow')
    expect(await broadcast(built.data)).toMatchObject({ data: { status: 'success', convert } })
  })

  it.each([
    {
      limit: 'minimum the market no longer pays',
      input: { amountIn: '1000' },
      now: { amountOutNow: '650.223525' },
      issue: { code: 'svc/below-min-target', required: '650.548962', current: '650.223525' },
      name: 'BelowMinTarget',
    },
    {
      limit: 'maximum the market exceeds',
      input: { amountOut: '650.874400', slippageBps: 1 },
      now: { amountInNow: '1001.001002' },
      issue: { code: 'svc/above-max-input', required: '1001.001002', current: '1000.100000' },
      name: 'AboveMaxInput',
    },
  ])('a quote whose $limit is built with an issue, and reverts for that reason', async (each) => {
    const { build, broadcast } = await prepare(each.input)
    await movePrice(-0.1)
    const built = await build()
    const data = { ...each.now, gasEstimateSource: 'upper-bound', issues: [each.issue] }
    expect(built).toMatchObject({ status: 200, data })
    const failure = { code: each.issue.code, revert: { name: each.name } }
    expect(await broadcast(built.data)).toMatchObject({ data: { status: 'failed', failure } })
  })

  it.each([
    ['svc/below-min-target', { amountIn: '1000' }, ['minAmountOut', 'amountOut', '650.548962', '650.223525']],
    ['svc/above-max-input', { amountOut: '650.8744' }, ['maxAmountIn', 'amountIn', '1000.500000', '1001.001002']],
  ] as const)(
    'error: %s when a quote of %j is renewed at its limit beyond the market, until the market is back',
    async (code, amount, [limitField, field, limit, now]) => {
      const accepted = await requestQuote(call, { ...pair(), ...amount })
      expect(accepted[limitField]).toBe(limit)
      const renew = async () => await call('convert.quote', { ...pair(), ...amount, [limitField]: limit })
      await movePrice(-0.1)
      expect(await renew()).toMatchObject({ status: 422, failure: { code, [field]: now, [limitField]: limit } })
      await stack.recover('convert.preview', validInputs(chain)['convert.preview'])
      expect(await renew()).toMatchObject({ status: 200, data: { [limitField]: limit, [field]: accepted[field] } })
      await movePrice(2)
      expect(await renew()).toMatchObject({ status: 200, data: { [limitField]: limit } })
    },
  )

  it.each([
    ['svc/pool-frozen', 'pool-frozen'],
    ['svc/stale-price', 'stale-price'],
  ] as const)('error: %s for a quote whose pool refuses every conversion now', async (code, scenario) => {
    const { build } = await prepare({ amountIn: '1000' })
    await stack.scenarios.run(scenario)
    expect(await build()).toMatchObject({ status: 422, failure: { code } })
  })
})

const conversions = [
  { from: 'tAUD', to: 'tUSD' },
  { from: 'tUSD', to: 'tEUR' },
  { from: 'tAUD', to: 'tEUR' },
].flatMap((pair) => [
  { ...pair, amount: { amountIn: '1234.567891' } },
  { ...pair, amount: { amountOut: '987.654321' } },
])

describe.each(partOf(['REST', 'tRPC'] as const))('quotes that are executed (%s)', (transport) => {
  it.each(conversions)(
    'a quote of $amount is executed for exactly its amounts, $from to $to, by the wallet and for a recipient',
    async ({ from, to, amount }) => {
      for (const recipient of [undefined, getAddress(privateKeyToAddress(generatePrivateKey()))]) {
        const pair = { chainId: 84532, tokenIn: chain.tokens[from], tokenOut: chain.tokens[to] }
        const input = { ...pair, ...amount, ...(recipient && { recipient }) }
        const executed = await executeQuote(stack.callers[transport], chain, input)
        const { quoted, paidRaw, receivedRaw, amountInRaw, amountOutRaw } = executed
        expect(quoted).toMatchObject({ mode: 'amountIn' in amount ? 'exact-in' : 'exact-out', ...amount })
        expect([paidRaw, receivedRaw]).toEqual([amountInRaw, amountOutRaw])
        expect(executed.sent['convert']).toMatchObject({
          amountIn: quoted.amountIn,
          expectedAmountIn: quoted.amountIn,
          expectedAmountOut: quoted.amountOut,
          actualAmountOut: quoted.amountOut,
        })
      }
    },
  )
})
