import type { AppRouter } from '@agio/api'
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, TRPCClientError } from '@trpc/client'
import { describe, expect, inject, it } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'

const links = { httpLink, httpBatchLink, httpBatchStreamLink } as const
const methods = ['GET', 'POST'] as const
const combinations = (Object.keys(links) as (keyof typeof links)[]).flatMap((link) =>
  methods.map((method) => [link, method] as const),
)

let addresses = 0

/** Headers without a key, from its own address: unauthenticated requests are limited by address. */
function withoutKey(): Record<string, string> {
  addresses += 1
  return { 'x-forwarded-for': `10.9.${addresses >> 8}.${addresses & 255}` }
}

describe.each(inject('runtimes'))('tRPC on $name', ({ url, apiKey, chains }) => {
  const { pools, tokens } = chains[84532]
  const inputs = validInputs(chains[84532])

  it('a preflight allows the headers of every tRPC link', async () => {
    const asked = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
    const { headers } = await fetch(`${url}/trpc/pools.list`, { method: 'OPTIONS', headers: asked })
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(',')
    expect(allowed).toEqual(expect.arrayContaining(['content-type', 'x-api-key', 'trpc-accept']))
  })

  describe.each(combinations)('by %s with queries by %s', (link, method) => {
    function connect(headers: Record<string, string> = { 'x-api-key': apiKey }) {
      const options = { url: `${url}/trpc`, headers, ...(method === 'POST' && { methodOverride: method }) }
      return createTRPCClient<AppRouter>({ links: [links[link](options)] })
    }

    it('a query and a mutation by any tRPC link reach their procedures', async () => {
      const client = connect()
      const [list, preview] = await Promise.all([
        client.pools.list.query(),
        client.convert.preview.query(inputs['convert.preview']),
      ])
      expect(list.pagination.total).toBe(Object.keys(pools).length)
      expect(preview.amountIn).toBe('1000')
      const error = await findError(client.transaction.broadcast.mutate({ signedTransaction: '0x02' }))
      expect(error.data).toMatchObject({ code: 'svc/invalid-transaction', httpStatus: 400 })
    })

    it('error: each call over tRPC without a key is svc/unauthorized', async () => {
      const { pools, oracle } = connect(withoutKey())
      const errors = await Promise.all([findError(pools.list.query()), findError(oracle.prices.query({}))])
      for (const error of errors) expectRefused(error, { code: 'svc/unauthorized', status: 401, rpcCode: -32_001 })
    })

    it('error: each call over tRPC above a limit is svc/rate-limited, with the time to wait', async () => {
      const limits = { requests: 1, windowSeconds: 86_400, burstPerSecond: 100, monthlyQuota: 1000 }
      const { key } = await createAdminClient(url).issue(limits)
      const client = connect({ 'x-api-key': key })
      await client.pools.list.query()
      // One call: two in one batch exceed the limit by themselves.
      const error = await findError(client.pools.list.query())
      expectRefused(error, { code: 'svc/rate-limited', status: 429, rpcCode: -32_029 })
      expect(error.data).toMatchObject({ retryAfterSeconds: expect.any(Number) })
    })

    it.each(link === 'httpLink' ? [] : [link])(
      'error: each call of a tRPC batch that is too long is svc/invalid-request, by %s',
      async () => {
        const { pools } = connect()
        const errors = await Promise.all(Array.from({ length: 11 }, () => findError(pools.list.query())))
        for (const error of errors) expectRefused(error, { code: 'svc/invalid-request', status: 400, rpcCode: -32_600 })
      },
    )

    it('error: an input over tRPC larger than a body may be is svc/payload-too-large', async () => {
      const { transaction, convert } = connect()
      const signedTransaction = `0x02${'00'.repeat(60_000)}` as const
      const sent = [findError(transaction.broadcast.mutate({ signedTransaction }))]
      const long = { ...inputs['convert.preview'], amountIn: '1'.repeat(110_000) }
      if (method === 'POST') sent.push(findError(convert.preview.query(long)))
      for (const error of await Promise.all(sent)) {
        expectRefused(error, { code: 'svc/payload-too-large', status: 413, rpcCode: -32_013 })
      }
    })

    it.each(method === 'POST' ? [method] : [])(
      'an input over tRPC that is too long for a URL reaches its procedure by %s',
      async () => {
        const long = { ...inputs['convert.preview'], amountIn: '1'.repeat(50_000) }
        const error = await findError(connect().convert.preview.query(long))
        expect(error.data).toMatchObject({ code: 'svc/invalid-request', field: 'amountIn', path: 'convert.preview' })
      },
    )

    it('the refusal of a procedure over tRPC has the JSON-RPC code of its status', async () => {
      const { convert, pools } = connect()
      const pair = { tokenIn: tokens['tAUD'] ?? '', tokenOut: tokens['tUSD'] ?? '' }
      const refusals = [
        [convert.preview.query({ ...pair, amountIn: '900000000' }), 422, -32_022],
        [pools.get.query({ poolAddress: pair.tokenIn }), 404, -32_004],
        [convert.preview.query({ ...pair, amountIn: 'x' }), 400, -32_600],
      ] as const
      const errors = await Promise.all(refusals.map(([call]) => findError(call)))
      const found = errors.map(({ data, shape }) => [data?.httpStatus, shape?.code])
      expect(found).toEqual(refusals.map(([, status, rpcCode]) => [status, rpcCode]))
    })
  })
})

type ClientError = TRPCClientError<AppRouter>

async function findError(call: Promise<unknown>): Promise<ClientError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(TRPCClientError)
  return error as ClientError
}

type Refusal = { readonly code: string; readonly status: number; readonly rpcCode: number }

/** Asserts that the client of a call has received the whole error, and its response the status of it. */
function expectRefused({ data, shape, message, meta }: ClientError, { code, status, rpcCode }: Refusal): void {
  expect(message).toMatch(new RegExp(`^${code}: Cannot `))
  const { response } = meta as { readonly response: Response }
  const requestId = response.headers.get('x-request-id')
  expect(data).toMatchObject({ code, httpStatus: status, type: expect.stringContaining('/docs/errors#'), requestId })
  expect([response.status, shape?.code]).toEqual([status, rpcCode])
}
