import type { LocalChain } from '@agio/localnet'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { setPrice } from '../harness/movePrice.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { mineTogether } from '../harness/mineTogether.ts'
import { startAgio } from '../harness/startAgio.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { expectSum } from '../harness/expectSum.ts'
import { encodeSwap, executeBy, fund, sendAs, submitAs, type Swap } from '../harness/swaps.ts'
import { setUp } from '../harness/setUp.ts'

const thousand = 1_000_000_000n
const initial = 65_120_000n

const stack = setUp(startAgio)
let chain: LocalChain
let owner: Owner
let user: Address

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
  owner = connectOwner(chain)
  user = privateKeyToAddress(generatePrivateKey())
  await fund(chain, user)
})

afterEach(async () => {
  await setPrice(chain, 'tAUD', initial)
})

/** The text of a quote for 1,000 tAUD in tUSD, or for what `change` says. */
async function requestQuote(change: Readonly<Record<string, unknown>> = {}) {
  await waitForBlock(stack.url, chain)
  const pair = { tokenIn: chain.tokens.tAUD, tokenOut: chain.tokens.tUSD }
  const amount = 'amountOut' in change ? {} : { amountIn: '1000' }
  const { data, failure } = await stack.callers.REST('convert.quote', {
    ...pair,
    ...amount,
    slippageBps: 1000,
    ...change,
  })
  expect(failure).toBeUndefined()
  return data as unknown as { readonly quote: string; readonly oracleAmountOut: string; readonly expiresAt: string }
}

const convert = (swap: Partial<Swap> = {}) =>
  sendAs(chain, user, encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand, ...swap }))

const read = (transactionHash: Hex, quote: string, of: 'REST' | 'tRPC' = 'REST') =>
  stack.callers[of]('convert.receipt', { transactionHash, quote })

describe('the receipt of a quoted conversion', () => {
  it.each(['REST', 'tRPC'] as const)(
    'a receipt with a quote has its promise, and how much the price moved since (%s)',
    async (transport) => {
      const { quote, oracleAmountOut, expiresAt } = await requestQuote({ clientReference: 'invoice 7' })
      await setPrice(chain, 'tAUD', 64_000_000n)
      const { data } = await read(await convert(), quote, transport)
      expectSum(data)
      expect(data).toMatchObject({
        status: 'success',
        oracleAt: 'quote',
        oracleAmountOut,
        parts: { priceMove: '-11.200000', impact: '0.000000', fee: '0.320000', rounding: '0.000000' },
        amountOut: '639.680000',
        oracleRate: '0.65120000',
        slippage: '1.7199%',
        clientReference: 'invoice 7',
        quoted: {
          mode: 'exact-in',
          amountIn: '1000.000000',
          amountOut: '650.874400',
          minAmountOut: '585.786960',
          expiresAt,
          blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        },
      })
      expect(data).not.toHaveProperty('conversions')
    },
  )

  it('a receipt with a quote of an exact output values what was really paid', async () => {
    const { quote } = await requestQuote({ tokenOut: chain.tokens.tEUR, amountOut: '600' })
    await setPrice(chain, 'tAUD', 66_000_000n)
    const { data } = await read(await convert({ to: 'tEUR', amountOutRaw: 600_000_000n }), quote)
    const { oracleRaw, priceMoveRaw, outRaw } = expectSum(data)
    const paidRaw = BigInt(String(data?.['amountIn']).replace('.', ''))
    expect(oracleRaw).toBe((paidRaw * initial) / 108_450_000n)
    expect(oracleRaw + priceMoveRaw).toBe((paidRaw * 66_000_000n) / 108_450_000n)
    expect(outRaw).toBe(600_000_000n)
    expect(data).toMatchObject({ mode: 'exact-out', quoted: { mode: 'exact-out', maxAmountIn: expect.any(String) } })
    expect(data).not.toHaveProperty('clientReference')
  })

  it('a receipt accepts an expired quote', async () => {
    const { quote, expiresAt } = await requestQuote({ validForSeconds: 600 })
    const transactionHash = await convert()
    await owner.client.setNextBlockTimestamp({ timestamp: BigInt(Date.parse(expiresAt) / 1000) + 1n })
    await owner.client.mine({ blocks: 1 })
    await waitForBlock(stack.url, chain)
    const refused = await stack.callers.REST('transaction.buildConvert', { quote, userAddress: user })
    expect(refused).toMatchObject({ status: 410, failure: { code: 'svc/quote-expired' } })
    expect(await read(transactionHash, quote)).toMatchObject({ status: 200, data: { quoted: { expiresAt } } })
  })

  it('a receipt is of the conversion of a batch that executed the quote', async () => {
    const account = await owner.deploy('testing/BatchAccount', [])
    await fund(chain, account)
    const { quote } = await requestQuote()
    const swaps = [7n, thousand, 9n * thousand].map((amountInRaw) =>
      encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw }),
    )
    const { data } = await read(await sendAs(chain, user, executeBy(account, swaps)), quote)
    expectSum(data)
    expect(data).toMatchObject({
      amountIn: '1000.000000',
      oracleAt: 'quote',
      conversions: [{ oracleAt: 'execution' }, { oracleAt: 'quote' }, { oracleAt: 'execution' }],
    })
    for (const row of data?.['conversions'] as readonly unknown[]) expectSum(row)
  })

  it('a receipt of a conversion that failed has what its quote promised', async () => {
    const { quote } = await requestQuote({ slippageBps: 100 })
    await setPrice(chain, 'tAUD', 64_000_000n)
    const swap = { from: 'tAUD', to: 'tUSD', amountInRaw: thousand, limitRaw: 644_365_656n } as const
    const [mined] = await mineTogether(chain, [submitAs(chain, user, encodeSwap(chain, swap))])
    expect(await read(mined?.transactionHash ?? '0x', quote)).toMatchObject({
      status: 200,
      data: {
        status: 'failed',
        failure: { code: 'svc/below-min-target' },
        quoted: { minAmountOut: '644.365656' },
      },
    })
  })

  it('a pending receipt has what its quote promised', async () => {
    const { quote } = await requestQuote({ clientReference: 'invoice 8' })
    await owner.client.setAutomine(false)
    try {
      const submit = submitAs(chain, user, encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand }))
      const hash = await submit({ maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n })
      expect(await read(hash, quote)).toMatchObject({
        status: 200,
        data: { status: 'pending', clientReference: 'invoice 8', quoted: { amountOut: '650.874400' } },
      })
      await owner.client.mine({ blocks: 1 })
    } finally {
      await owner.client.setAutomine(true)
    }
  })
})

describe('a receipt with the quote of another conversion', () => {
  it.each([
    { name: 'other tokens', quoted: {}, swap: { to: 'tEUR' }, field: 'tokenOut' },
    { name: 'another input', quoted: { amountIn: '999' }, swap: {}, field: 'amountIn' },
    { name: 'another output', quoted: { amountOut: '650' }, swap: { amountOutRaw: 651_000_000n }, field: 'amountOut' },
    { name: 'another mode', quoted: { amountOut: '650' }, swap: {}, field: 'mode' },
    { name: 'less than the minimum', quoted: { slippageBps: 0 }, swap: {}, price: 60_000_000n, field: 'minAmountOut' },
    {
      name: 'more than the maximum',
      quoted: { amountOut: '650', slippageBps: 0 },
      swap: { amountOutRaw: 650_000_000n },
      price: 60_000_000n,
      field: 'maxAmountIn',
    },
    {
      name: 'another wallet',
      quoted: { userAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      swap: {},
      field: 'userAddress',
    },
    {
      name: 'another recipient',
      quoted: { recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      swap: {},
      field: 'recipient',
    },
  ] as const)('error: svc/quote-mismatch for $name, with both values', async ({ quoted, swap, field, ...rest }) => {
    const { quote } = await requestQuote(quoted)
    if ('price' in rest) await setPrice(chain, 'tAUD', rest.price)
    const transactionHash = await convert(swap)
    for (const transport of ['REST', 'tRPC'] as const) {
      const { status, failure } = await read(transactionHash, quote, transport)
      expect({ status, failure }).toMatchObject({ status: 409, failure: { code: 'svc/quote-mismatch', field } })
      expect(failure?.['expected']).not.toBe(failure?.['actual'])
    }
  })

  it('error: svc/quote-mismatch for a swap in the pool of the quoted route, without the router', async () => {
    const { quote } = await requestQuote()
    const pool = chain.pools['tAUD/tUSD']
    const failure = { code: 'svc/quote-mismatch', field: 'to', expected: chain.deployment.router, actual: pool }
    expect(await read(await convert({ pool }), quote)).toMatchObject({ status: 409, failure })
  })

  it('error: svc/quote-mismatch for a conversion that was mined before its quote, and for another chain', async () => {
    const transactionHash = await convert()
    await owner.client.mine({ blocks: 1 })
    const { quote } = await requestQuote()
    const mismatch = { status: 409, failure: { code: 'svc/quote-mismatch' } }
    expect(await read(transactionHash, quote)).toMatchObject({ ...mismatch, failure: { field: 'blockNumber' } })
    const input = { chainId: 421614, transactionHash, quote }
    expect(await stack.callers.REST('convert.receipt', input)).toMatchObject({
      ...mismatch,
      failure: { field: 'chainId', expected: '84532', actual: '421614' },
    })
  })

  it('error: svc/quote-mismatch for a conversion that failed with another limit', async () => {
    const { quote } = await requestQuote()
    const swap = { from: 'tAUD', to: 'tUSD', amountInRaw: thousand, limitRaw: 10n ** 12n } as const
    const [mined] = await mineTogether(chain, [submitAs(chain, user, encodeSwap(chain, swap))])
    const failure = { code: 'svc/quote-mismatch', field: 'minAmountOut', actual: '1000000.000000' }
    expect(await read(mined?.transactionHash ?? '0x', quote)).toMatchObject({ status: 409, failure })
  })

  it('error: svc/quote-not-yours for the quote of another key, and svc/quote-invalid for an altered one', async () => {
    const { quote } = await requestQuote()
    const transactionHash = await convert()
    const { key } = await createAdminClient(stack.url).issue()
    const other = createRestCaller({ url: stack.url, apiKey: key })
    expect(await other('convert.receipt', { transactionHash, quote })).toMatchObject({
      status: 403,
      failure: { code: 'svc/quote-not-yours' },
    })
    const altered = quote.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect(await read(transactionHash, altered)).toMatchObject({ status: 400, failure: { code: 'svc/quote-invalid' } })
  })
})
