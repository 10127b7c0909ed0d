import type { AppRouter } from '@agio/api'
import type { Network } from '@agio/core'
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import { expect, expectTypeOf, inject, it } from 'vitest'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, apiKey, chains } = target
const { tokens } = chains[84532]

const client = createTRPCClient<AppRouter>({
  links: [httpBatchLink({ url: `${url}/trpc`, headers: { 'x-api-key': apiKey } })],
})
const pair = { tokenIn: tokens['tAUD'] ?? '', tokenOut: tokens['tUSD'] ?? '', amountIn: '1000' }

it('a frontend infers the types of inputs and outputs from the router', async () => {
  const preview = await client.convert.preview.query(pair)
  expectTypeOf(preview.amountOut).toEqualTypeOf<string>()
  expectTypeOf(preview.tokenIn.decimals).toEqualTypeOf<number>()
  expectTypeOf(client.pools.list.query)
    .parameter(0)
    .extract<object>()
    .toHaveProperty('chainId')
    .toEqualTypeOf<Network.ChainId | undefined>()
  expect(preview.amountOut).toBe('650.874400')
})

it('a frontend builds a conversion from amounts or from a quote with the same procedure', async () => {
  const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const { quote, parts } = await client.convert.quote.query(pair)
  expectTypeOf(parts.impact).toEqualTypeOf<string>()
  const [quoted, priced] = await Promise.all([
    client.transaction.buildConvert.query({ quote, userAddress }),
    client.transaction.buildConvert.query({ ...pair, minAmountOut: '650', userAddress }),
  ])
  expectTypeOf(quoted.amountOutNow).toEqualTypeOf<string | undefined>()
  expect(quoted.amountOutNow).toBe('650.874400')
  expect(priced.transaction.to).toBe(quoted.transaction.to)
})

it('a frontend distinguishes the steps of a plan by their kind', async () => {
  const ownerAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const { tokenIn: tokenAddress, amountIn: amount } = pair
  const { steps } = await client.approval.plan.query({ tokenAddress, amount, ownerAddress })
  const [step] = steps
  if (step?.kind !== 'permit') throw new Error('The plan has no permit')
  expectTypeOf(step.permit.nonce).toEqualTypeOf<string>()
  expectTypeOf(step.fallback[0]?.kind).toEqualTypeOf<'reset' | 'approve' | undefined>()
  expect(step.typedData.primaryType).toBe('Permit')
})

it('tRPC calls of one tick are sent as one batch', async () => {
  const [pools, prices] = await Promise.all([
    client.pools.list.query({ chainId: 421614 }),
    client.oracle.prices.query({ chainId: 421614 }),
  ])
  expect(pools.pagination.total).toBe(2)
  expect(prices.chainId).toBe(421614)
})

it('a tRPC error has the code of the catalogue in its data', async () => {
  const error = await client.convert.preview.query({ ...pair, amountIn: '900000000' }).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(TRPCClientError)
  expect((error as TRPCClientError<AppRouter>).data).toMatchObject({
    code: 'svc/above-max-origin',
    httpStatus: 422,
    path: 'convert.preview',
    maxAmountIn: expect.any(String),
    requestId: expect.any(String),
  })
})

it('an error of the HTTP edge is a valid tRPC error', async () => {
  const unauthenticated = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${url}/trpc` })] })
  const error = await unauthenticated.pools.list.query().catch((cause: unknown) => cause)
  expect((error as TRPCClientError<AppRouter>).data).toMatchObject({ code: 'svc/unauthorized', httpStatus: 401 })
})
