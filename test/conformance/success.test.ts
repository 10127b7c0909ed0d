import { Network } from '@agio/core'
import { describe, expect, inject, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { suite } from './suite.ts'
import { validInputs } from '../harness/validInputs.ts'

suite('status 200', ({ call, chain, chainId }) => {
  const inputs = validInputs(chain)

  it.each(Object.entries(inputs))('%s returns what openapi.json describes', async (operation, input) => {
    expect(await call(operation, input)).toMatchObject({ status: 200 })
  })

  it('chains.list returns every network with its contracts and tokens, and no explorer of a local chain', async () => {
    const { data } = await call('chains.list', {})
    const { router, faucet, referenceToken } = chain.deployment
    const listed = (data?.['chains'] as readonly Readonly<Record<string, unknown>>[]) ?? []
    expect(listed.map((entry) => entry['chainId'])).toEqual(Network.chainIds)
    expect(listed.find((entry) => entry['chainId'] === chainId)).toEqual({
      chainId,
      name: Network.names[chainId],
      router,
      faucet,
      referenceToken,
      permit2: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
      tokens: [
        {
          address: chain.tokens['tAUD'],
          symbol: 'tAUD',
          name: 'Test Australian Dollar',
          decimals: 6,
          approvalMethods: ['permit', 'permit2', 'approve'],
        },
        {
          address: chain.tokens['tUSD'],
          symbol: 'tUSD',
          name: 'Test US Dollar',
          decimals: 6,
          approvalMethods: ['permit2', 'approve'],
        },
        {
          address: chain.tokens['tEUR'],
          symbol: 'tEUR',
          name: 'Test Euro',
          decimals: 6,
          approvalMethods: ['permit2', 'approve'],
        },
      ],
      pools: 2,
      nativeCurrency: { name: expect.stringContaining('Ether'), symbol: 'ETH', decimals: 18 },
      blockExplorer: null,
      blockNumber: expect.any(Number),
      blockTimestamp: expect.any(String),
    })
  })

  it('pools.list returns both pools with 6 and 18 fractional digits', async () => {
    const { data } = await call('pools.list', { chainId })
    expect(data?.['pagination']).toEqual({ page: 1, limit: 20, total: 2 })
    expect(data?.['pools']).toMatchObject([
      { name: 'tAUD/tUSD', address: chain.pools['tAUD/tUSD'], chainId, token0: { symbol: 'tAUD', decimals: 6 } },
      { name: 'tEUR/tUSD', address: chain.pools['tEUR/tUSD'], chainId, token1: { symbol: 'tUSD', decimals: 6 } },
    ])
  })

  it('pools.list returns the requested page, and the total', async () => {
    const second = await call('pools.list', { chainId, page: 2, limit: 1 })
    expect(second.data).toMatchObject({ pools: [{ name: 'tEUR/tUSD' }], pagination: { page: 2, limit: 1, total: 2 } })
    const third = await call('pools.list', { chainId, page: 3, limit: 1 })
    expect(third.data).toMatchObject({ pools: [], pagination: { total: 2 } })
  })

  it('pools.get also returns the fee, the oracles and the largest inputs', async () => {
    const { data } = await call('pools.get', inputs['pools.get'])
    expect(data).toMatchObject({
      fee: '0.05%',
      oracles: { token0: { usd: '0.65120000', stale: false }, token1: { usd: '1.00', address: null, stale: false } },
    })
    expect(Number((data?.['maxAmountIn'] as Record<string, string>)['token0'])).toBeGreaterThan(100_000)
  })

  it('convert.preview returns the test vector of the specification', async () => {
    const { data } = await call('convert.preview', inputs['convert.preview'])
    expect(data).toMatchObject({
      amountIn: '1000',
      amountOut: '650.874400',
      exchangeRate: '0.65087440',
      inverseRate: '1.53639473',
      fee: '0.05%',
      routeFeeRate: '0.05%',
      recommendedMinAmountOut: '650.548962',
    })
  })

  it('convert.preview without a pool converts in two hops if there is no direct pool', async () => {
    const pair = { tokenIn: chain.tokens['tAUD'], tokenOut: chain.tokens['tEUR'] }
    const { data } = await call('convert.preview', { chainId, ...pair, amountIn: '1000' })
    expect(data).toMatchObject({ amountOut: '599.860730', fee: '0.05%', routeFeeRate: '0.099975%' })
  })

  it('convert.preview accepts addresses in any letter case and returns EIP-55 checksums', async () => {
    const input = inputs['convert.preview']
    const lower = { ...input, tokenIn: input.tokenIn?.toLowerCase(), poolAddress: input.poolAddress?.toLowerCase() }
    const { data } = await call('convert.preview', lower)
    expect(data).toMatchObject({ tokenIn: { address: chain.tokens['tAUD'] } })
  })

  it('oracle.prices returns 1.00 without an oracle for the reference dollar', async () => {
    const { data } = await call('oracle.prices', { chainId })
    expect(data).toMatchObject({
      chainId,
      chainName: Network.names[chainId],
      prices: {
        tUSD: { usd: '1.00', oracle: null, stale: false },
        tAUD: { usd: '0.65120000', oracle: chain.oracles['tAUD'], stale: false },
        tEUR: { usd: '1.08450000', oracle: chain.oracles['tEUR'], stale: false },
      },
    })
  })

  it.each(['approval.check', 'faucet.info', 'pools.list', 'pools.get'] as const)(
    '%s names the block that it is of, by its number and its time',
    async (operation) => {
      const { data } = await call(operation, inputs[operation])
      const { blockNumber, blockTimestamp } = (data?.['user'] ?? data) as Readonly<Record<string, unknown>>
      const { timestamp } = await connectOwner(chain).client.getBlock({ blockNumber: BigInt(Number(blockNumber)) })
      expect(blockTimestamp).toBe(new Date(Number(timestamp) * 1000).toISOString())
    },
  )

  it('approval.build approves the amount, or an unlimited one on request', async () => {
    const input = inputs['approval.build']
    expect((await call('approval.build', input)).data).toMatchObject({ recommendation: { type: 'limited' } })
    const unlimited = await call('approval.build', { ...input, isUnlimited: true })
    expect(unlimited.data).toMatchObject({
      recommendation: { type: 'unlimited' },
      transaction: { to: chain.tokens['tAUD'], data: expect.stringMatching(/f{64}$/), chainId },
    })
  })

  it('approval.revoke warns if the spender is not the router', async () => {
    const spenderAddress = chain.pools['tAUD/tUSD']
    const { data } = await call('approval.revoke', { ...inputs['approval.revoke'], spenderAddress })
    expect(data).toMatchObject({
      recommendation: { type: 'revoke', reason: expect.stringMatching(/not the router.*a quote for this pool/) },
    })
  })

  it('transaction.buildConvert lists the issues of the wallet, and the source of its gas estimate', async () => {
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

  it('transaction.buildConvert lists missing native currency as an issue', async () => {
    const userAddress = '0x00000000000000000000000000000000000000aa'
    const { data } = await call('transaction.buildConvert', { ...inputs['transaction.buildConvert'], userAddress })
    const codes = (data?.['issues'] as { code: string }[]).map(({ code }) => code)
    expect(codes).toEqual(['svc/insufficient-allowance', 'svc/insufficient-balance', 'svc/insufficient-gas'])
  })
})

suite('a wallet for which a node cannot estimate gas', ({ call, chain }) => {
  const input = validInputs(chain)['transaction.buildConvert']
  const build = async (userAddress: string) => (await call('transaction.buildConvert', { ...input, userAddress })).data

  it('a wallet for which a node cannot estimate gas gets an upper bound, and the next wallet gets an estimate again', async () => {
    // A precompile: nodes reject a code override at its address.
    expect(await build('0x0000000000000000000000000000000000000001')).toMatchObject({
      gasEstimateSource: 'upper-bound',
      gasLimit: '720000',
    })
    expect(await build(input.userAddress)).toMatchObject({ gasEstimateSource: 'call-as-if' })
  })
})

describe.each(inject('targets'))('the default chain ($name)', (target) => {
  const chain = target.chains[84532]
  const withoutChain = Object.entries<Readonly<Record<string, unknown>>>(validInputs(chain)).filter(
    ([operation, input]) => 'chainId' in input && !operation.startsWith('faucet.'),
  )

  it.each(withoutChain)('%s uses chain 84532 if chainId is omitted', async (operation, { chainId: _, ...input }) => {
    const rest = await createRestCaller(target)(
      operation === 'oracle.prices' ? 'getOraclePricesOfDefaultChain' : operation,
      input,
    )
    const trpc = await createTrpcCaller(target)(operation, input)
    expect([rest.status, trpc.status]).toEqual([200, 200])
  })
})
