import { expect, it } from 'vitest'
import { toConversionTitle, toNewRequest } from './conversionQuote.ts'
import { quote } from './testSteps.ts'
import type { QuoteRequest } from '@agio/sdk'

it('a conversion is named by the amount that the user entered', () => {
  expect(toConversionTitle({ ...quote, amountIn: '1000.500000' })).toBe('1,000.5 tAUD → tUSD')
  expect(toConversionTitle({ ...quote, mode: 'exact-out', amountOut: '64.000000' })).toBe('tAUD → 64 tUSD')
})

it('a new quote keeps the amount and the tolerance, and drops the old limit', () => {
  const request = { ...quote.request, slippageBps: 50 } as QuoteRequest
  expect(toNewRequest({ request })).toEqual(request)
  expect(toNewRequest({ request: { ...request, minAmountOut: '64.9' } as QuoteRequest })).toEqual(request)
})
