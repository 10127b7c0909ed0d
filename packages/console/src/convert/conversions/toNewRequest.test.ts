import type { QuoteRequest } from '@agio/sdk'
import { expect, it } from 'vitest'
import { quote } from './testSteps.ts'
import { toNewRequest } from './toNewRequest.ts'

it('a new quote keeps the amount and the tolerance, and drops the old limit', () => {
  const request = { ...quote.request, slippageBps: 50 } as QuoteRequest
  expect(toNewRequest({ request })).toEqual(request)
  expect(toNewRequest({ request: { ...request, minAmountOut: '64.9' } as QuoteRequest })).toEqual(request)
})
