import { expect, it } from 'vitest'
import { createQuotes, type QuoteObservation, toSlippageBps } from './createQuotes.ts'
import type { QuoteTerms } from './QuoteTerms.ts'

const secret = { id: 'rC0v-_3kP9xQ', secret: Buffer.alloc(32, 7) }
const observed: QuoteObservation[] = []

const quotes = createQuotes({
  store: {
    quoteSecrets: { current: () => secret, find: () => secret },
    quotePauses: { isPaused: () => false },
  },
  metrics: { observeQuote: (observation) => observed.push(observation) },
})

const address = `0x${'a'.repeat(40)}` as const

const terms: QuoteTerms = {
  version: 1,
  keyId: 'key_5Qm3xU8nW2aB',
  chainId: 84532,
  mode: 'exact-in',
  tokenIn: address,
  tokenOut: address,
  amountIn: '100',
  amountOut: '50',
  limit: '49',
  execution: 'origin-swap',
  to: address,
  pool: null,
  recipient: null,
  userAddress: null,
  clientReference: null,
  block: { number: 1, hash: `0x${'b'.repeat(64)}`, timestamp: 1 },
  hops: [
    {
      pool: address,
      tokenIn: address,
      tokenOut: address,
      tokenInAnswer: '1',
      tokenOutAnswer: '2',
      epsilon: '0',
      decimalsIn: 6,
      decimalsOut: 6,
      pricing: 'local',
    },
  ],
  issuedAt: 1,
  expiresAt: 2,
}

it('signing a quote observes that it was issued, and the amounts of its conversion give its slippage', async () => {
  const quote = quotes.sign(terms)
  quotes.observe('built', quote)
  quotes.observe('expired', quote)
  quotes.observeMined(quote, await quotes.verify(quote, terms), { amountInRaw: 100n, amountOutRaw: 49n })
  expect(observed).toEqual([
    { event: 'issued', quote },
    { event: 'built', quote },
    { event: 'expired', quote },
    { event: 'mined', quote, slippageBps: 200 },
  ])
})

const millionTokens = { amountIn: '1000000000000000000000000', amountOut: '2000000' }
const amountInRaw = 10n ** 24n

it.each([
  ['what was quoted', { amountInRaw, amountOutRaw: 2_000_000n }, 0],
  ['a hundredth less', { amountInRaw, amountOutRaw: 1_980_000n }, 100],
  ['a hundredth more', { amountInRaw, amountOutRaw: 2_020_000n }, -100],
  ['the quoted output for a quarter more', { amountInRaw: (amountInRaw * 5n) / 4n, amountOutRaw: 2_000_000n }, 2000],
  ['one raw unit less', { amountInRaw, amountOutRaw: 1_999_999n }, 0.005],
  ['nothing', { amountInRaw, amountOutRaw: 0n }, 10_000],
  ['nothing for nothing', { amountInRaw: 0n, amountOutRaw: 0n }, 0],
] as const)('the slippage of a quote that receives %s is relative to its rate, in basis points', (_, paid, bps) => {
  expect(toSlippageBps(millionTokens, paid)).toBe(bps)
})
