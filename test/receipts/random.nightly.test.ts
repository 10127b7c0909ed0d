import type { LocalChain } from '@agio/localnet'
import fc from 'fast-check'
import { formatUnits, type Address, type Hex, type TransactionReceipt } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, expect, it } from 'vitest'
import { mineTogether } from '../harness/mineTogether.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { startAgio } from '../harness/startAgio.ts'
import { submitPrice } from './submitPrice.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { expectSum } from '../harness/expectSum.ts'
import { encodeSwap, fund, submitAs } from '../harness/swaps.ts'
import { longTests } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'

const seed = randomSeed('conversions')

type TokenSymbol = 'tUSD' | 'tAUD' | 'tEUR'

/** An update of a price, in dollars with 8 decimals. */
type Update = { readonly symbol: 'tAUD' | 'tEUR'; readonly answer: bigint }

/** A conversion, by the router or by a pool that holds both tokens. */
type Conversion = {
  readonly from: TokenSymbol
  readonly to: TokenSymbol
  readonly mode: 'exact-in' | 'exact-out'
  /** Raw units of the token that the mode fixes. */
  readonly amountRaw: bigint
  readonly isDirect: boolean
}

/** The contents of a block, in order. */
type BlockEvent = Update | Conversion

const symbols = ['tUSD', 'tAUD', 'tEUR'] as const

// Of 1 to 11 digits: from dust to a tenth of a pool. All lengths are equally likely.
const amountRaw = fc
  .integer({ min: 1, max: 11 })
  .chain((digits) => fc.bigInt({ min: 10n ** BigInt(digits - 1), max: 10n ** BigInt(digits) - 1n }))

// No conversion deviates from its quote by more than half, and no price by more than the largest step.
const update: fc.Arbitrary<Update> = fc.oneof(
  fc.record({ symbol: fc.constant('tAUD' as const), answer: fc.bigInt({ min: 62_000_000n, max: 68_000_000n }) }),
  fc.record({ symbol: fc.constant('tEUR' as const), answer: fc.bigInt({ min: 104_000_000n, max: 114_000_000n }) }),
)

const conversion: fc.Arbitrary<Conversion> = fc
  .record({
    pair: fc.shuffledSubarray([...symbols], { minLength: 2, maxLength: 2 }),
    mode: fc.constantFrom('exact-in' as const, 'exact-out' as const),
    amountRaw,
    isDirect: fc.boolean(),
  })
  .map(({ pair: [from = 'tUSD', to = 'tAUD'], isDirect, ...rest }) => ({
    ...rest,
    from,
    to,
    isDirect: isDirect && (from === 'tUSD' || to === 'tUSD'),
  }))

/** Random blocks of six conversions, with price updates between any of them. */
const arbitraryBlocks: fc.Arbitrary<readonly BlockEvent[]> = fc
  .tuple(
    ...Array.from({ length: 6 }, () =>
      fc.tuple(fc.array(update, { maxLength: 1 }), conversion, fc.array(update, { maxLength: 1 })),
    ),
  )
  .map((groups) => groups.flatMap(([before, swap, after]) => [...before, swap, ...after]))

// The number of blocks, of six conversions each, and the least number of conversions that are executed.
const [blockCount, leastCount] = [250, 1000]

const one = 10n ** 18n
const epsilon = 5n * 10n ** 14n
const ceilDiv = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor

type Prices = Readonly<Record<'tUSD' | 'tAUD' | 'tEUR', bigint>>

const stack = setUp(startAgio)
let chain: LocalChain
let user: Address

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
  user = privateKeyToAddress(generatePrivateKey())
  await fund(chain, user)
})

it(
  'the parts of random conversions add up to the last unit within their bounds, at any prices of their quotes and blocks',
  { timeout: longTests.randomTransactions },
  async () => {
    const prices = { tUSD: 100_000_000n, tAUD: 65_120_000n, tEUR: 108_450_000n }
    let executed = 0
    for (const events of fc.sample(arbitraryBlocks, { seed, numRuns: blockCount })) {
      const quotedPrices = { ...prices }
      const quotes = await requestQuotes(events)
      const mined = await mine(events)
      for (const [index, event] of events.entries()) {
        if ('symbol' in event) prices[event.symbol] = event.answer
        else executed += await checkReceipt(mined[index], event, { prices, quotedPrices, quote: quotes[index] })
      }
    }
    expect(executed).toBeGreaterThanOrEqual(leastCount)
  },
)

/** A quote for each conversion of a block, at the prices before it; undefined where the pools refuse it. */
async function requestQuotes(events: readonly BlockEvent[]): Promise<readonly (string | undefined)[]> {
  await waitForBlock(stack.url, chain)
  return await Promise.all(
    events.map(async (event) => {
      if ('symbol' in event) return undefined
      const { from, to, mode, amountRaw, isDirect } = event
      // Without the router a conversion does not execute what the service quotes.
      if (isDirect) return undefined
      const amount = { [mode === 'exact-in' ? 'amountIn' : 'amountOut']: formatUnits(amountRaw, 6) }
      const pair = { tokenIn: chain.tokens[from], tokenOut: chain.tokens[to] }
      const { data, failure } = await stack.callers.REST('convert.quote', { ...pair, ...amount, slippageBps: 5000 })
      expect(failure?.code ?? 'svc/amount-too-small').toMatch(/too-small|above-max/)
      return data?.['quote'] as string | undefined
    }),
  )
}

async function mine(events: readonly BlockEvent[]): Promise<readonly TransactionReceipt[]> {
  const submits = events.map((event) => {
    if ('symbol' in event) return submitPrice(chain, event.symbol, event.answer)
    const { from, to, mode, amountRaw, isDirect } = event
    const pool = isDirect ? chain.pools[from === 'tUSD' ? `${to}/tUSD` : `${from}/tUSD`] : undefined
    const amount = mode === 'exact-in' ? { amountInRaw: amountRaw } : { amountOutRaw: amountRaw }
    return submitAs(chain, user, encodeSwap(chain, { from, to, pool, ...amount }))
  })
  return await mineTogether(chain, submits)
}

type Terms = {
  /** The prices that the conversion is executed at, and the prices of its quote. */
  readonly prices: Prices
  readonly quotedPrices: Prices
  readonly quote: string | undefined
}

/** Asserts the receipt of a conversion, and returns whether it was executed: 1 or 0. */
async function checkReceipt(mined: TransactionReceipt | undefined, event: Conversion, terms: Terms): Promise<0 | 1> {
  const { transactionHash = '0x', status } = mined ?? {}
  // A reverted conversion has other limits than its quote.
  if (status === 'reverted') return expectFailed(await readReceipt(transactionHash, undefined))
  return expectExecuted(await readReceipt(transactionHash, terms.quote), event, terms)
}

/** The smallest amounts pay nothing, and the largest exceed a limit; at the prices at the end of the block they may not. */
function expectFailed(row: Row): 0 {
  const { failure } = row as { readonly failure?: { readonly code: string } }
  expect(row['status']).toBe('failed')
  expect(failure?.code ?? 'svc/above-max-origin').toMatch(/too-small|above-max/)
  return 0
}

function expectExecuted(
  row: Row,
  { from, to, mode, amountRaw }: Conversion,
  { prices, quotedPrices, quote }: Terms,
): 1 {
  const parties = { payer: user, recipient: user }
  expect(row).toMatchObject({ status: 'success', ...parties, oracleAt: quote ? 'quote' : 'execution' })
  const parts = expectSum(row)
  const { amountIn, amountOut } = row as { readonly amountIn: string; readonly amountOut: string }
  const [inRaw, outRaw] = [toRaw(amountIn), toRaw(amountOut)]
  expect(mode === 'exact-in' ? inRaw : outRaw).toBe(amountRaw)
  const valueAt = (at: Prices) => (inRaw * at[from]) / at[to]
  expect(parts.oracleRaw).toBe(valueAt(quote ? quotedPrices : prices))
  expect(parts.oracleRaw + parts.priceMoveRaw).toBe(valueAt(prices))
  expect(parts.impactRaw).toBe(0n)
  const { feeRaw, mostRaw } = toBounds({ from, to, mode }, { inRaw, outRaw, prices })
  expect(parts.feeRaw).toBe(feeRaw)
  expect(parts.roundingRaw).toBeGreaterThanOrEqual(0n)
  expect(parts.roundingRaw).toBeLessThanOrEqual(mostRaw)
  return 1
}

type Row = Readonly<Record<string, unknown>>

async function readReceipt(transactionHash: Hex, quote: string | undefined): Promise<Row> {
  const input = { transactionHash, ...(quote && { quote }) }
  const { status, data, failure } = await stack.callers.REST('convert.receipt', input)
  expect({ status, failure }, transactionHash).toEqual({ status: 200, failure: undefined })
  return data ?? {}
}

// All tokens have 6 decimals.
const toRaw = (amount: string) => BigInt(amount.replace('.', ''))

type Executed = { readonly inRaw: bigint; readonly outRaw: bigint; readonly prices: Prices }

/** The fee that the pools charge and the largest rounding, by their definitions: all tokens have the same decimals. */
function toBounds({ from, to, mode }: Pick<Conversion, 'from' | 'to' | 'mode'>, { inRaw, outRaw, prices }: Executed) {
  const [priceIn, between, priceOut] = [prices[from], prices.tUSD, prices[to]]
  const isTwoHops = from !== 'tUSD' && to !== 'tUSD'
  if (mode === 'exact-in') {
    const feeOf = (gross: bigint) => ceilDiv(gross * epsilon, one)
    const firstGross = isTwoHops ? (inRaw * priceIn) / between : (inRaw * priceIn) / priceOut
    if (!isTwoHops) return { feeRaw: feeOf(firstGross), mostRaw: 0n }
    const secondGross = ((firstGross - feeOf(firstGross)) * between) / priceOut
    const feeRaw = (feeOf(firstGross) * between) / priceOut + feeOf(secondGross)
    return { feeRaw, mostRaw: 1n + ceilDiv(between, priceOut) }
  }
  const grossOf = (net: bigint) => ceilDiv(net * one, one - epsilon)
  const lastFeeRaw = grossOf(outRaw) - outRaw
  const unitRaw = ceilDiv(priceIn, priceOut)
  if (!isTwoHops) return { feeRaw: lastFeeRaw, mostRaw: unitRaw }
  const betweenRaw = ceilDiv(grossOf(outRaw) * priceOut, between)
  const firstFeeRaw = grossOf(betweenRaw) - betweenRaw
  const feeRaw = (firstFeeRaw * between) / priceOut + lastFeeRaw
  return { feeRaw, mostRaw: unitRaw + ceilDiv(between, priceOut) }
}
