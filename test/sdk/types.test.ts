import { describe, expect, expectTypeOf, inject, it } from 'vitest'
import {
  createAgio,
  isAgioError,
  type Agio,
  type AgioErrorCode,
  type AgioOptions,
  type AgioQuote,
  type AgioQuoteData,
  type QuoteRequest,
} from '../../packages/sdk/src/index.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, apiKey, chains } = target
const agio = createAgio({ url, apiKey })
const { tAUD: tokenIn, tUSD: tokenOut } = chains[84532].tokens

/** Code that the type check reads, and that never runs: each typo must be an error of it. */
function checkOnly(_typos: (agio: Agio, error: unknown) => unknown): void {}

describe('the types of the SDK', () => {
  it('a typo in an operation is a type error', () => {
    checkOnly(({ api }) => [
      // @ts-expect-error -- pools
      () => api.pool.list.query(),
      // @ts-expect-error -- list
      () => api.pools.lists.query(),
      // @ts-expect-error -- query
      () => api.pools.list.get(),
      // @ts-expect-error -- a query is not a mutation
      () => api.pools.list.mutate(),
      // @ts-expect-error -- a mutation is not a query
      () => api.transaction.broadcast.query({ signedTransaction: '0x02' }),
      // @ts-expect-error -- operators have an entry of their own
      () => api.admin.keys.list.query(),
    ])
  })

  it('a typo in a field of a request is a type error', () => {
    checkOnly((agio) => [
      // @ts-expect-error -- chainId
      () => agio.api.pools.list.query({ chainID: 84532 }),
      // @ts-expect-error -- a chain that is not served
      () => agio.api.pools.list.query({ chainId: 1 }),
      // @ts-expect-error -- an address starts with 0x
      () => agio.api.pools.get.query({ poolAddress: 'pool' }),
      // @ts-expect-error -- an amount is text
      () => agio.quote({ chainId: 84532, tokenIn, tokenOut, amountIn: 100 }),
      // @ts-expect-error -- slippageBps
      () => agio.quote({ chainId: 84532, tokenIn, tokenOut, amountIn: '100', slippage: 5 }),
      // @ts-expect-error -- the signal stands in the options
      () => agio.quote({ chainId: 84532, tokenIn, tokenOut, amountIn: '100' }, AbortSignal.timeout(1)),
    ])
  })

  it('a quote has a chain and exactly one amount, with the limit of the other, or it is a type error', () => {
    const pair = { chainId: 84532, tokenIn, tokenOut } as const
    const requests: readonly QuoteRequest[] = [
      { ...pair, amountIn: '1' },
      { ...pair, amountOut: '1' },
      { ...pair, amountIn: '1', minAmountOut: '1' },
      { ...pair, amountOut: '1', maxAmountIn: '1' },
      // @ts-expect-error -- no amount
      pair,
      // @ts-expect-error -- both amounts
      { ...pair, amountIn: '1', amountOut: '1' },
      // @ts-expect-error -- the limit of the amount that is fixed
      { ...pair, amountIn: '1', maxAmountIn: '1' },
      // @ts-expect-error -- the limit of the amount that is fixed
      { ...pair, amountOut: '1', minAmountOut: '1' },
      // @ts-expect-error -- no chain
      { tokenIn, tokenOut, amountIn: '1' },
    ]
    expect(requests).toHaveLength(9)
  })

  it('a typo in a field of a response is a type error', () => {
    checkOnly((agio) => [
      async () => {
        const quote = await agio.quote({ chainId: 84532, tokenIn, tokenOut, amountIn: '100' })
        // @ts-expect-error -- amountOut
        return quote.amountout
      },
      async () => {
        const { steps } = await agio.api.approval.plan.query({ ownerAddress: tokenIn })
        const [step] = steps
        // @ts-expect-error -- permit
        return step?.kind === 'permits'
      },
    ])
  })

  it('a typo in a code, or a field of another code, is a type error', () => {
    checkOnly((_, error) => {
      if (!isAgioError(error)) return undefined
      // @ts-expect-error -- svc/stale-price
      if (error.code === 'svc/stale-prize') return 'typo'
      // @ts-expect-error -- the fields depend on the code
      if (error.code === 'wallet/rejected') return error.details.updatedAt
      if (error.code === 'svc/stale-price') return error.details.updatedAt
      // @ts-expect-error -- requestId
      return error.requestID
    })
    expectTypeOf<'svc/quote-expired' | 'network/unreachable'>().toExtend<AgioErrorCode>()
    expectTypeOf<'svc/expired'>().not.toExtend<AgioErrorCode>()
  })

  it('an option that does not exist is a type error', () => {
    const options: readonly AgioOptions[] = [
      { url, getApiKey: async () => apiKey, fetch, maxRetries: 0 },
      // @ts-expect-error -- apiKey
      { url, key: apiKey },
      // @ts-expect-error -- no URL
      { apiKey },
    ]
    expect(options).toHaveLength(3)
  })

  it('a quote is its data and refresh, and its data is plain JSON', async () => {
    const quote = await agio.quote({ chainId: 84532, tokenIn, tokenOut, amountIn: '100' })
    expectTypeOf(quote).toEqualTypeOf<AgioQuote>()
    expectTypeOf(quote).toExtend<AgioQuoteData>()
    expectTypeOf(quote.spender).toEqualTypeOf<`0x${string}`>()
    expectTypeOf(quote.chainId).toExtend<84532 | 421614>()
    expect(quote.spender).toBe(chains[84532].deployment.router)
  })
})
