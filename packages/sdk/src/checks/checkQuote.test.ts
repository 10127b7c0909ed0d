import { expect, it } from 'vitest'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import { checkQuote } from './checkQuote.ts'

const [tokenIn, between, tokenOut] = ['a1', 'a2', 'a3'].map((end) => ({
  address: `0x00000000000000000000000000000000000000${end}` as const,
  symbol: 'T',
  decimals: 6,
})) as [Token, Token, Token]
type Token = AgioQuoteData['tokenIn']

const [first, second] = ['b1', 'b2'].map((end) => `0x00000000000000000000000000000000000000${end}` as const) as [
  Token['address'],
  Token['address'],
]
const route = [
  { address: first, tokenIn, tokenOut: between, fee: '0.05%' },
  { address: second, tokenIn: between, tokenOut, fee: '0.05%' },
]

function createQuote(change: object = {}, request: object = {}): AgioQuoteData {
  const chainId = 84532
  return {
    chainId,
    mode: 'exact-in',
    tokenIn,
    tokenOut,
    route,
    amountIn: '100.000000',
    amountOut: '65.000000',
    minAmountOut: '64.967500',
    request: { chainId, tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountIn: '100', ...request },
    ...change,
  } as AgioQuoteData
}

function checkIn(change: object, request: object = {}): unknown {
  try {
    return checkQuote(createQuote(change, request))
  } catch (error) {
    return (error as { details: { field: string } }).details.field
  }
}

it.each([
  ['an exact input', {}, {}],
  ['a limit in the request', {}, { minAmountOut: '64.9675' }],
  ['the tolerance of the request', { minAmountOut: '64.350000' }, { slippageBps: 100 }],
  ['an exact output', { mode: 'exact-out', maxAmountIn: '100.05' }, { amountIn: undefined, amountOut: '65.0' }],
  [
    'a limit that is tighter than requested',
    { mode: 'exact-out', maxAmountIn: '100.000000' },
    { amountIn: undefined, amountOut: '65', maxAmountIn: '101' },
  ],
  [
    'two raw units less over one pool',
    { amountIn: '0.000100', amountOut: '0.000065', minAmountOut: '0.000063', route: [{ ...route[0], tokenOut }] },
    { amountIn: '0.0001' },
  ],
  [
    'one raw unit',
    { amountIn: '0.000002', amountOut: '0.000001', minAmountOut: '0.000001' },
    { amountIn: '0.000002', slippageBps: 5000 },
  ],
  ['one pool', { route: [{ ...route[0], tokenOut }] }, { poolAddress: first }],
  ['addresses in upper case', {}, { tokenIn: tokenIn.address.toUpperCase().replace('0X', '0x') }],
])('checkQuote accepts %s', (_, change, request) => {
  expect(checkIn(change, request)).toBeUndefined()
})

it.each([
  ['chainId', { chainId: 421614 }],
  ['tokenIn', { tokenIn: between }],
  ['tokenOut', { tokenOut: between }],
  ['mode', { mode: 'exact-out' }],
  ['minAmountOut', { minAmountOut: '64.967499' }],
  ['tokenOut.decimals', { tokenOut: { ...tokenOut, decimals: 256 } }],
  ['amountIn', { amountIn: '100.000001' }],
  ['amountIn', { amountIn: undefined }],
  ['amountIn', { amountIn: '1e2' }],
  ['route', { route: [] }],
  ['route', { route: [...route, ...route] }],
  ['route.tokenOut', { route: [route[0]] }],
  ['route.0.tokenIn', { route: [route[1]] }],
  ['route.1.tokenIn', { route: [route[0], route[0]] }],
])('error: convert/mismatch with %s for a response that has %j', (field, change) => {
  expect(checkIn(change)).toBe(field)
})

it('error: convert/mismatch for another limit, output or pool than was requested', () => {
  expect(checkIn({}, { minAmountOut: '64.967501' })).toBe('minAmountOut')
  expect(checkIn({ minAmountOut: undefined }, { minAmountOut: '64.9' })).toBe('minAmountOut')
  const exactOut = { amountIn: undefined, amountOut: '65' }
  expect(checkIn({ mode: 'exact-out', amountOut: '64.999999' }, exactOut)).toBe('amountOut')
  expect(checkIn({ mode: 'exact-out', maxAmountIn: '100.2' }, { ...exactOut, maxAmountIn: '100.1' })).toBe(
    'maxAmountIn',
  )
  expect(checkIn({ mode: 'exact-out', maxAmountIn: '100.050001' }, exactOut)).toBe('maxAmountIn')
  expect(checkIn({}, { poolAddress: second })).toBe('route.0.address')
})
