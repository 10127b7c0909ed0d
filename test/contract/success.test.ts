import { describe, expect, inject, it } from 'vitest'
import { createRestCaller } from './createRestCaller.ts'
import { createTrpcCaller } from './createTrpcCaller.ts'
import { suite } from './suite.ts'
import { validInputs } from './validInputs.ts'

suite('200', ({ call, chain, chainId }) => {
  const inputs = validInputs(chain)

  it.each(Object.entries(inputs))('%s answers what openapi.json says', async (operation, input) => {
    expect(await call(operation, input)).toMatchObject({ status: 200 })
  })

  it('pools.list shows both pools with 6 and 18 fractional digits', async () => {
    const { data } = await call('pools.list', { chainId })
    expect(data?.['pagination']).toEqual({ page: 1, limit: 20, total: 2 })
    expect(data?.['pools']).toMatchObject([
      { name: 'tAUD/tUSD', address: chain.pools['tAUD/tUSD'], chainId, token0: { symbol: 'tAUD', decimals: 6 } },
      { name: 'tEUR/tUSD', address: chain.pools['tEUR/tUSD'], chainId, token1: { symbol: 'tUSD', decimals: 6 } },
    ])
  })

  it('pools.list cuts pages', async () => {
    const second = await call('pools.list', { chainId, page: 2, limit: 1 })
    expect(second.data).toMatchObject({ pools: [{ name: 'tEUR/tUSD' }], pagination: { page: 2, limit: 1, total: 2 } })
    const third = await call('pools.list', { chainId, page: 3, limit: 1 })
    expect(third.data).toMatchObject({ pools: [], pagination: { total: 2 } })
  })

  it('pools.get adds fee, oracles and the largest inputs', async () => {
    const { data } = await call('pools.get', inputs['pools.get'])
    expect(data).toMatchObject({
      fee: '0.05%',
      oracles: { token0: { usd: '0.65120000', stale: false }, token1: { usd: '1.00', address: null, stale: false } },
    })
    expect(Number((data?.['maxAmountIn'] as Record<string, string>)['token0'])).toBeGreaterThan(100_000)
  })

  it('convert.preview pays the vector of the design', async () => {
    const { data } = await call('convert.preview', inputs['convert.preview'])
    expect(data).toMatchObject({
      amountIn: '1000',
      amountOut: '650.874400',
      exchangeRate: '0.65087440',
      inverseRate: '1.53639473',
      fee: '0.05%',
      recommendedMinAmountOut: '650.548962',
    })
  })

  it('convert.preview without a pool takes two hops where there is no direct one', async () => {
    const pair = { tokenIn: chain.tokens['tAUD'], tokenOut: chain.tokens['tEUR'] }
    const { data } = await call('convert.preview', { chainId, ...pair, amountIn: '1000' })
    expect(data).toMatchObject({ amountOut: '599.860730' })
  })

  it('convert.preview takes addresses in any letter case and answers EIP-55', async () => {
    const input = inputs['convert.preview']
    const lower = { ...input, tokenIn: input.tokenIn?.toLowerCase(), poolAddress: input.poolAddress?.toLowerCase() }
    const { data } = await call('convert.preview', lower)
    expect(data).toMatchObject({ tokenIn: { address: chain.tokens['tAUD'] } })
  })

  it('oracle.prices shows the reference dollar as 1.00 without an oracle', async () => {
    const { data } = await call('oracle.prices', { chainId })
    expect(data).toMatchObject({
      chainId,
      chainName: chainId === 84532 ? 'Base Sepolia' : 'Arbitrum Sepolia',
      prices: {
        tUSD: { usd: '1.00', oracle: null, stale: false },
        tAUD: { usd: '0.65120000', oracle: chain.oracles['tAUD'], stale: false },
        tEUR: { usd: '1.08450000', oracle: chain.oracles['tEUR'], stale: false },
      },
    })
  })

  it('approval.build is limited, or unlimited where asked for', async () => {
    const input = inputs['approval.build']
    expect((await call('approval.build', input)).data).toMatchObject({ recommendation: { type: 'limited' } })
    const unlimited = await call('approval.build', { ...input, isUnlimited: true })
    expect(unlimited.data).toMatchObject({
      recommendation: { type: 'unlimited' },
      transaction: { to: chain.tokens['tAUD'], data: expect.stringMatching(/f{64}$/), chainId },
    })
  })

  it('approval warns if the spender is not the router', async () => {
    const spenderAddress = chain.pools['tAUD/tUSD']
    const { data } = await call('approval.revoke', { ...inputs['approval.revoke'], spenderAddress })
    expect(data).toMatchObject({
      recommendation: { type: 'revoke', reason: expect.stringContaining('not the router') },
    })
  })

  it('transaction.buildConvert lists what the wallet lacks, and says where its gas figure is from', async () => {
    const { data } = await call('transaction.buildConvert', inputs['transaction.buildConvert'])
    expect(data).toMatchObject({
      to: chain.deployment.router,
      chainId,
      gasEstimateSource: 'call-as-if',
      issues: [
        { code: 'svc/insufficient-allowance', required: '1000.000000', current: '0.000000' },
        { code: 'svc/insufficient-balance', required: '1000.000000', current: '0.000000' },
      ],
    })
  })

  it('transaction.buildConvert lists missing gas money too', async () => {
    const userAddress = '0x00000000000000000000000000000000000000aa'
    const { data } = await call('transaction.buildConvert', { ...inputs['transaction.buildConvert'], userAddress })
    const codes = (data?.['issues'] as { code: string }[]).map(({ code }) => code)
    expect(codes).toEqual(['svc/insufficient-allowance', 'svc/insufficient-balance', 'svc/insufficient-gas'])
  })
})

suite('a wallet that a node cannot meter', ({ call, chain }) => {
  const input = validInputs(chain)['transaction.buildConvert']
  const build = async (userAddress: string) => (await call('transaction.buildConvert', { ...input, userAddress })).data

  it('is built for with an upper bound, and the next one is metered again', async () => {
    // A precompile: nodes refuse to place code there.
    expect(await build('0x0000000000000000000000000000000000000001')).toMatchObject({
      gasEstimateSource: 'upper-bound',
      gasLimit: '720000',
    })
    expect(await build(input.userAddress)).toMatchObject({ gasEstimateSource: 'call-as-if' })
  })
})

describe.each(inject('targets'))('the default chain ($name)', (target) => {
  const chain = target.chains[84532]
  const withoutChain = Object.entries(validInputs(chain)).filter(([operation]) => !operation.startsWith('faucet.'))

  it.each(withoutChain)('%s is on 84532 where no chain is named', async (operation, { chainId: _, ...input }) => {
    const rest = await createRestCaller(target)(
      operation === 'oracle.prices' ? 'oracle.prices.default' : operation,
      input,
    )
    const trpc = await createTrpcCaller(target)(operation, input)
    expect([rest.status, trpc.status]).toEqual([200, 200])
  })
})
