import { createTestClient, http, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createTrader } from '../harness/createTrader.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { suite } from './suite.ts'

suite('quotes', ({ call, chain, chainId }) => {
  const pair = { chainId, tokenIn: chain.tokens['tAUD'], tokenOut: chain.tokens['tUSD'] }
  const refuse = async (input: object, field: string) =>
    expect(await call('convert.quote', { ...pair, ...input }), field).toMatchObject({
      status: 400,
      failure: { code: 'svc/invalid-request', field },
    })

  it('convert.quote returns the test vector of the specification for an exact input', async () => {
    const { data } = await call('convert.quote', { ...pair, amountIn: '1000' })
    expect(data).toMatchObject({
      quote: expect.stringMatching(/^[A-Za-z0-9_.-]+$/),
      mode: 'exact-in',
      amountIn: '1000.000000',
      amountOut: '650.874400',
      minAmountOut: '650.548962',
      spender: chain.deployment.router,
      route: [{ address: chain.pools['tAUD/tUSD'], tokenIn: { symbol: 'tAUD' }, tokenOut: { symbol: 'tUSD' } }],
      exchangeRate: '0.65087440',
      inverseRate: '1.53639473',
      oracleRate: '0.65120000',
      oracleAmountOut: '651.200000',
      parts: { impact: '0.000000', fee: '0.325600', rounding: '0.000000' },
      routeFeeRate: '0.05%',
      blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    for (const field of ['maxAmountIn', 'issues', 'gasLimit']) expect(data).not.toHaveProperty(field)
  })

  it('convert.quote returns the smallest input for an exact output, with a maximum rounded up', async () => {
    const { data } = await call('convert.quote', { ...pair, amountOut: '650.8744', slippageBps: 1 })
    expect(data).toMatchObject({
      mode: 'exact-out',
      amountIn: '1000.000000',
      amountOut: '650.874400',
      maxAmountIn: '1000.100000',
      parts: { impact: '0.000000', fee: '0.325600', rounding: '0.000000' },
    })
    expect(data).not.toHaveProperty('minAmountOut')
  })

  it('convert.quote has the limit of its request instead of a tolerance', async () => {
    const { data: input } = await call('convert.quote', { ...pair, amountIn: '1000', minAmountOut: '650.5' })
    expect(input).toMatchObject({ amountOut: '650.874400', minAmountOut: '650.500000' })
    const { data: output } = await call('convert.quote', { ...pair, amountOut: '650.8744', maxAmountIn: '1001' })
    expect(output).toMatchObject({ amountIn: '1000.000000', maxAmountIn: '1001.000000' })
    // An exact quote is within the limit.
    for (const exact of [
      { amountIn: '1000', minAmountOut: '650.8744' },
      { amountOut: '650.8744', maxAmountIn: '1000' },
    ]) {
      expect(await call('convert.quote', { ...pair, ...exact })).toMatchObject({
        status: 200,
        data: { amountOut: '650.874400' },
      })
    }
  })

  it('error: svc/below-min-target or svc/above-max-input for a market one unit beyond the limit of the request', async () => {
    const least = { amountIn: '1000', minAmountOut: '650.874401' }
    expect(await call('convert.quote', { ...pair, ...least })).toMatchObject({
      status: 422,
      failure: { code: 'svc/below-min-target', amountOut: '650.874400', minAmountOut: '650.874401', action: 'requote' },
    })
    const most = { amountOut: '650.8744', maxAmountIn: '999.999999' }
    expect(await call('convert.quote', { ...pair, ...most })).toMatchObject({
      status: 422,
      failure: { code: 'svc/above-max-input', amountIn: '1000.000000', maxAmountIn: '999.999999', action: 'requote' },
    })
  })

  it('convert.quote refuses a limit of the amount that the request fixes, and a limit beside a tolerance', async () => {
    await refuse({ amountIn: '1', maxAmountIn: '1' }, 'maxAmountIn')
    await refuse({ amountOut: '1', minAmountOut: '1' }, 'minAmountOut')
    await refuse({ amountIn: '1', minAmountOut: '0.1', slippageBps: 5 }, 'slippageBps')
    await refuse({ amountOut: '1', maxAmountIn: '9', slippageBps: 0 }, 'slippageBps')
  })

  it('convert.quote returns both pools and both fees of a conversion over two', async () => {
    const { data } = await call('convert.quote', { ...pair, tokenOut: chain.tokens['tEUR'], amountIn: '1000' })
    expect(data).toMatchObject({
      amountOut: '599.860730',
      routeFeeRate: '0.099975%',
      route: [{ address: chain.pools['tAUD/tUSD'] }, { address: chain.pools['tEUR/tUSD'] }],
    })
  })

  it('convert.quote returns the issues and the gas of a wallet', async () => {
    const { address: userAddress } = await createTrader(chain, { symbol: 'tAUD', amount: '1000', approved: '10' })
    const issuesOf = async (amount: object) =>
      (await call('convert.quote', { ...pair, userAddress, ...amount })).data?.['issues']
    expect(await issuesOf({ amountIn: '10' })).toEqual([])
    const allowance = { code: 'svc/insufficient-allowance', current: '10.000000' }
    expect(await issuesOf({ amountIn: '1000' })).toMatchObject([{ ...allowance, required: '1000.000000' }])
    // The approval that it needs is the maximum.
    expect(await issuesOf({ amountOut: '650.8744' })).toMatchObject([{ ...allowance, required: '1000.500000' }])
    const { data } = await call('convert.quote', { ...pair, userAddress, amountIn: '10' })
    expect(data).toMatchObject({ gasLimit: expect.any(String), maxFeePerGas: expect.any(String) })
  })

  it('a quote expires after its validity, counted from the later of clock and newest block', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { data } = await call('convert.quote', { ...pair, amountIn: '1', validForSeconds: 600 })
    const { expiresAt, blockTimestamp } = data as Record<string, string>
    const [expiry, head] = [expiresAt, blockTimestamp].map((text) => Date.parse(text ?? '') / 1000) as [number, number]
    expect(expiry).toBeGreaterThanOrEqual(Math.max(before, head) + 600)
    expect(expiry).toBeLessThanOrEqual(Math.max(Math.ceil(Date.now() / 1000), head) + 600)
  })

  it('convert.quote requires exactly one of amountIn and amountOut', async () => {
    await refuse({}, 'amountIn')
    await refuse({ amountIn: '1', amountOut: '1' }, 'amountOut')
  })

  it.each([
    ['slippageBps', [-1, 5001, 1.5, '5', null]],
    ['validForSeconds', [9, 601, 10.5, '60', null]],
    ['clientReference', ['', ' ', 'a\nb', 'a\u0000', 'a\u2028b', 'a\u202eb', '\u2066a', 'a'.repeat(65), '\ud800', 7]],
    ['amountOut', ['0', '-1', '1e3', '0.0000001', 5, (2n ** 256n).toString()]],
    ['minAmountOut', ['0', '-1', '1e3', '0.0000001', 5, (2n ** 256n).toString()]],
    ['maxAmountIn', ['0', '-1', '1e3', '0.0000001', 5, (2n ** 256n).toString()]],
  ] as const)('convert.quote refuses a %s out of its bounds', async (field, values) => {
    const fixed = field === 'maxAmountIn' ? { amountOut: '1' } : { amountIn: '1' }
    const amount = field === 'amountOut' ? {} : fixed
    for (const value of values) await refuse({ ...amount, [field]: value }, field)
  })

  it('convert.quote accepts a reference of 64 printable characters', async () => {
    for (const clientReference of [`№ 42 «é» ${'x'.repeat(55)}`, '💶'.repeat(64)]) {
      expect(Array.from(clientReference)).toHaveLength(64)
      expect(await call('convert.quote', { ...pair, amountIn: '1', clientReference })).toMatchObject({ status: 200 })
      const clientReferenceOf65 = { clientReference: `${clientReference}x` }
      await refuse({ amountIn: '1', ...clientReferenceOf65 }, 'clientReference')
    }
  })

  it.each(['userAddress', 'recipient'])('convert.quote refuses a contract of the deployment as %s', async (field) => {
    const common = ['0x000000000022D473030F116dDEE9F6B43aC78BA3', '0xcA11bde05977b3631167028862bE2a173976CA11']
    for (const value of [chain.deployment.router, chain.pools['tAUD/tUSD'], chain.tokens['tUSD'], ...common]) {
      const outcome = await call('convert.quote', { ...pair, amountIn: '1', [field]: value })
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-address', field, value } })
    }
  })

  it('error: svc/above-max-origin for an exact output beyond the limit of the pool, with the largest input', async () => {
    expect(await call('convert.quote', { ...pair, amountOut: '800000' })).toMatchObject({
      status: 422,
      failure: { code: 'svc/above-max-origin', maxAmountIn: expect.stringMatching(/^\d+\.\d{6}$/) },
    })
  })

  it.each(['', 'quote', '..', 'AAAAAAAAAAAA.e30.AAAA', '💶', 'x'.repeat(5000)])(
    'error: svc/quote-invalid for a text that is not a quote',
    async (quote) => {
      const refused = { status: 400, failure: { code: 'svc/quote-invalid', field: 'quote', action: 'requote' } }
      const { address: userAddress } = await createWallet(chain)
      expect(await call('transaction.buildConvert', { quote, userAddress })).toMatchObject(refused)
      expect(await call('transaction.broadcastConvert', { quote, signedTransaction: '0x02' })).toMatchObject(refused)
    },
  )
})

suite('transactions of quotes', ({ call, chain, chainId }) => {
  const pair = { chainId, tokenIn: chain.tokens['tAUD'], tokenOut: chain.tokens['tEUR'] }

  describe.each([{ amountIn: '100' }, { amountOut: '60' }])('for %j', (amount) => {
    it('a client quotes, builds, signs and broadcasts with analysis', async () => {
      const trader = await createTrader(chain, { symbol: 'tAUD', amount: '200' })
      const quoted = await call('convert.quote', { ...pair, ...amount, userAddress: trader.address })
      expect(quoted.data).toMatchObject({ issues: [] })
      const { quote, amountIn, amountOut } = quoted.data as Record<string, string>
      const built = await call('transaction.buildConvert', { quote, userAddress: trader.address })
      expect(built.data).toMatchObject({ chainId, issues: [], gasLimit: quoted.data?.['gasLimit'] })
      const signedTransaction = await trader.sign(call, built.data as unknown as Unsigned)
      const broadcast = () => call('transaction.broadcastConvert', { quote, signedTransaction })
      const sent = await broadcast()
      expect(sent.data).toMatchObject({
        status: 'success',
        convert: {
          amountIn,
          expectedAmountIn: amountIn,
          expectedAmountOut: amountOut,
          actualAmountOut: amountOut,
          routeFeeRate: '0.099975%',
        },
      })
      expect(await broadcast()).toEqual(sent)
    })

    it('eth_sendTransaction takes the unchanged transaction of a build', async () => {
      const trader = await createTrader(chain, { symbol: 'tAUD', amount: '200' })
      const { data } = await call('convert.quote', { ...pair, ...amount })
      const built = await call('transaction.buildConvert', { quote: data?.['quote'], userAddress: trader.address })
      const wallet = createTestClient({ mode: 'hardhat', transport: http(chain.rpcUrl) })
      await wallet.impersonateAccount({ address: trader.address })
      const params = [built.data?.['transaction']] as never
      const transactionHash = await wallet.request<{ ReturnType: Hex }>({
        method: 'eth_sendTransaction',
        params,
      })
      const status = async () => (await call('transaction.status', { chainId, transactionHash })).data
      await expect.poll(status).toMatchObject({ status: 'success' })
      await wallet.stopImpersonatingAccount({ address: trader.address })
    })
  })

  it('the transaction of a build without a quote is the same as its other fields', async () => {
    const { address: userAddress } = await createWallet(chain)
    const { data } = await call('transaction.buildConvert', {
      ...pair,
      userAddress,
      amountIn: '1',
      minAmountOut: '0.5',
    })
    const { transaction, ...fields } = data as Record<string, string> & { transaction: Record<string, string> }
    expect(transaction).toEqual({
      from: userAddress,
      to: fields['to'],
      data: fields['data'],
      value: '0x0',
      gas: `0x${BigInt(fields['gasLimit'] ?? '').toString(16)}`,
      maxFeePerGas: `0x${BigInt(fields['maxFeePerGas'] ?? '').toString(16)}`,
      maxPriorityFeePerGas: `0x${BigInt(fields['maxPriorityFeePerGas'] ?? '').toString(16)}`,
      chainId: `0x${chainId.toString(16)}`,
      type: '0x2',
    })
  })
})
