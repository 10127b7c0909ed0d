import type { LocalChain, Localnet } from '@agio/localnet'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Unsigned } from '../harness/createWallet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { createPayer } from '../harness/createPayer.ts'
import { requestQuote } from '../harness/executeQuote.ts'

let localnet: Localnet
let stack: AgioStack
let chain: LocalChain

beforeAll(async () => {
  stack = await startAgio()
  localnet = stack.localnet
  chain = localnet.chains[84532]
})

afterAll(async () => {
  await stack?.stop()
  await localnet?.stop()
})

afterEach(async () => {
  await stack.recover('convert.preview', validInputs(chain)['convert.preview'])
})

const pair = () => ({ chainId: 84532, tokenIn: chain.tokens['tAUD'], tokenOut: chain.tokens['tUSD'] })

const movePrice = (percent: number) => stack.scenarios.run('price-move', { symbol: 'tAUD', percent })

describe.each(['REST', 'tRPC'] as const)('a quote against the market (%s)', (transport) => {
  const call = (...args: Parameters<AgioStack['callers']['REST']>) => stack.callers[transport](...args)

  /** Requests a quote, and returns it with a wallet that can pay it, its build and its broadcast. */
  async function prepare(input: Omit<Parameters<typeof requestQuote>[1], keyof ReturnType<typeof pair>>) {
    const quoted = await requestQuote(call, { ...pair(), ...input })
    const { quote, spender, tokenIn } = quoted
    const payer = await createPayer(chain, { token: tokenIn.address, amountRaw: 10n ** 10n, spender })
    return {
      quoted,
      build: async () => await call('transaction.buildConvert', { quote, userAddress: payer.address }),
      async broadcast(unsigned: unknown) {
        const signedTransaction = await payer.sign(call, unsigned as Unsigned)
        return await call('transaction.broadcastConvert', { quote, signedTransaction })
      },
    }
  }

  it('a quote of an exact input pays more when the price rises before it is mined', async () => {
    const { quoted, build, broadcast } = await prepare({ amountIn: '1000' })
    await movePrice(2)
    const built = await build()
    expect(built).toMatchObject({ status: 200, data: { issues: [], amountOutNow: '663.891888' } })
    expect(built.data).not.toHaveProperty('amountInNow')
    expect(await broadcast(built.data)).toMatchObject({
      data: {
        status: 'success',
        convert: { expectedAmountOut: quoted.amountOut, actualAmountOut: '663.891888', amountIn: '1000.000000' },
      },
    })
  })

  it('a quote of an exact output costs less when the price rises before it is mined, and pays the same', async () => {
    const { quoted, build, broadcast } = await prepare({ amountOut: '650.874400' })
    expect(quoted).toMatchObject({ amountIn: '1000.000000', maxAmountIn: '1000.500000' })
    await movePrice(2)
    const built = await build()
    expect(built).toMatchObject({ status: 200, data: { issues: [], amountInNow: '980.392157' } })
    expect(built.data).not.toHaveProperty('amountOutNow')
    expect(await broadcast(built.data)).toMatchObject({
      data: {
        status: 'success',
        convert: { amountIn: '980.392157', expectedAmountIn: '1000.000000', actualAmountOut: '650.874400' },
      },
    })
  })

  it('a quote whose minimum the market no longer pays is built with an issue, and reverts for that reason', async () => {
    const { build, broadcast } = await prepare({ amountIn: '1000' })
    await movePrice(-0.1)
    const built = await build()
    expect(built).toMatchObject({
      status: 200,
      data: {
        amountOutNow: '650.223525',
        gasEstimateSource: 'upper-bound',
        issues: [{ code: 'svc/below-min-target', required: '650.548962', current: '650.223525' }],
      },
    })
    const failure = { code: 'svc/below-min-target', revert: { name: 'BelowMinTarget' } }
    expect(await broadcast(built.data)).toMatchObject({ data: { status: 'failed', failure } })
  })

  it('a quote whose maximum the market exceeds is built with an issue, and reverts for that reason', async () => {
    const { build, broadcast } = await prepare({ amountOut: '650.874400', slippageBps: 1 })
    await movePrice(-0.1)
    const built = await build()
    expect(built).toMatchObject({
      status: 200,
      data: {
        amountInNow: '1001.001002',
        gasEstimateSource: 'upper-bound',
        issues: [{ code: 'svc/above-max-input', required: '1001.001002', current: '1000.100000' }],
      },
    })
    const failure = { code: 'svc/above-max-input', revert: { name: 'AboveMaxInput' } }
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

  it('a quote within its own tolerance is executed at a worse price than quoted', async () => {
    const { build, broadcast } = await prepare({ amountIn: '1000', slippageBps: 5000 })
    await movePrice(-40)
    const built = await build()
    expect(built).toMatchObject({ status: 200, data: { issues: [], amountOutNow: '390.524640' } })
    expect(await broadcast(built.data)).toMatchObject({ data: { convert: { actualAmountOut: '390.524640' } } })
  })

  it.each([
    ['svc/pool-frozen', 'pool-frozen'],
    ['svc/stale-price', 'stale-price'],
  ] as const)('error: %s for a quote whose pool refuses every conversion now', async (code, scenario) => {
    const { build } = await prepare({ amountIn: '1000' })
    await stack.scenarios.run(scenario)
    expect(await build()).toMatchObject({ status: 422, failure: { code } })
  })
})
