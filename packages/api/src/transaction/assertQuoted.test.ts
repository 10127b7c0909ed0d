import type { Address } from '@agio/core'
import { maxUint256, type Hex } from 'viem'
import { expect, it } from 'vitest'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import { toQuoteDigest } from '../quote/createQuoteSigner.ts'
import { assertQuoted } from './assertQuoted.ts'

const [payer, router, pool, aud, usd] = [1, 2, 3, 4, 5].map((digit) => `0x${digit.toString().repeat(40)}` as const) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]

/** An exact output that is swapped as an exact input, as of a pool priced on chain. */
const terms: QuoteTerms = {
  version: 1,
  keyId: 'key',
  chainId: 84532,
  mode: 'exact-out',
  tokenIn: aud,
  tokenOut: usd,
  amountIn: '1000',
  amountOut: '600',
  limit: '1000',
  execution: 'origin-swap',
  to: router,
  pool: null,
  recipient: null,
  userAddress: null,
  clientReference: null,
  block: { number: 1, hash: `0x${'ab'.repeat(32)}`, timestamp: 1_795_000_000 },
  hops: [
    {
      pool,
      tokenIn: aud,
      tokenOut: usd,
      tokenInAnswer: '65120000',
      tokenOutAnswer: '100000000',
      epsilon: '500000000000000',
      decimalsIn: 2,
      decimalsOut: 2,
      pricing: 'on-chain',
    },
  ],
  issuedAt: 1_795_000_000,
  expiresAt: 1_795_000_060,
}

const quote = 'e30.c2ln'

const signed = {
  serialized: '0x02',
  hash: `0x${'cd'.repeat(32)}`,
  from: payer,
  to: router,
  data: '0x9d73b325',
  valueWei: 0n,
  requiredWei: 0n,
  nonce: 0,
} as const

const call = {
  target: 'router',
  to: router,
  mode: 'exact-in',
  tokenIn: aud,
  tokenOut: usd,
  amountInRaw: 1000n,
  minAmountOutRaw: 600n,
  deadlineSeconds: 1_795_000_060n,
} as const

it('an exact output that is swapped as an exact input has its input fixed and its output as the minimum', () => {
  expect(() => assertQuoted({ terms, quote }, signed, call)).not.toThrow()
  for (const [field, change, expected, actual] of [
    ['amountIn', { amountInRaw: 1001n }, '10.00', '10.01'],
    ['amountOut', { minAmountOutRaw: 599n }, '6.00', '5.99'],
  ] as const) {
    expect(() => assertQuoted({ terms, quote }, signed, { ...call, ...change }), field).toThrow(
      expect.objectContaining({ code: 'svc/quote-mismatch', details: { field, expected, actual } }),
    )
  }
})

it('a quote without a recipient allows a recipient that is the sender itself', () => {
  expect(() => assertQuoted({ terms, quote }, signed, { ...call, recipient: payer })).not.toThrow()
  expect(() => assertQuoted({ terms: { ...terms, recipient: payer }, quote }, signed, call)).not.toThrow()
})

const signature: Hex = `0x${'5e'.repeat(65)}`

it('a call with a permit executes its quote, for any allowance and deadline of the permit', () => {
  for (const [amountRaw, deadlineSeconds] of [
    [1000n, 1_795_000_060n],
    [maxUint256, maxUint256],
  ] as const) {
    const permit = { kind: 'permit', amountRaw, deadlineSeconds, signature } as const
    expect(() => assertQuoted({ terms, quote }, signed, { ...call, recipient: payer, permit })).not.toThrow()
  }
})

it('error: svc/quote-mismatch for a signature for Permit2 that names another quote of the same terms', () => {
  const toCall = (named: string) => {
    const permit = { kind: 'permit2', quoteDigest: toQuoteDigest(named), signature } as const
    return { ...call, recipient: payer, permit }
  }
  expect(() => assertQuoted({ terms, quote }, signed, toCall(quote))).not.toThrow()
  const details = { field: 'quoteDigest', expected: toQuoteDigest(quote), actual: toQuoteDigest('e30.b3RoZXI') }
  expect(() => assertQuoted({ terms, quote }, signed, toCall('e30.b3RoZXI'))).toThrow(
    expect.objectContaining({ code: 'svc/quote-mismatch', details }),
  )
})

it('error: svc/quote-mismatch for a permit and another recipient, amount or deadline than quoted', () => {
  const permit = { kind: 'permit', amountRaw: 1000n, deadlineSeconds: 1_795_000_060n, signature } as const
  for (const [field, change] of [
    ['recipient', { recipient: pool }],
    ['amountIn', { amountInRaw: 1001n }],
    ['deadline', { deadlineSeconds: 1_795_000_061n }],
  ] as const) {
    const other = { ...call, recipient: payer, permit, ...change }
    expect(() => assertQuoted({ terms, quote }, signed, other), field).toThrow(
      expect.objectContaining({ code: 'svc/quote-mismatch', details: expect.objectContaining({ field }) }),
    )
  }
})

it('error: svc/quote-mismatch for a transaction that creates a contract', () => {
  expect(() => assertQuoted({ terms, quote }, { ...signed, to: undefined }, undefined)).toThrow(
    expect.objectContaining({ details: { field: 'to', expected: router, actual: 'no contract' } }),
  )
})
