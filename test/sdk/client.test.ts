import { getEventListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import {
  createAgio,
  isAgioError,
  type Agio,
  type AgioOptions,
  type AnyAgioError,
} from '../../packages/sdk/src/index.ts'
import { validInputs } from '../contract/validInputs.ts'
import { createAdminClient } from '../stack/createAdminClient.ts'
import { eventually } from '../stack/eventually.ts'
import { apiKey } from '../stack/settingsFor.ts'
import { startProxiedStack, type ProxiedStack } from '../stack/startProxiedStack.ts'
import { startHttpProxy, type HttpProxy } from './startHttpProxy.ts'

describe.each(inject('targets'))('the client of the SDK on $name', ({ url, apiKey, chains }) => {
  const agio = createAgio({ url, apiKey })
  const inputs = validInputs(chains[84532])

  it('a query without input, a query and a mutation reach their procedures', async () => {
    const { chains: served } = await agio.api.chains.list.query()
    expect(served.map(({ chainId }) => chainId)).toContain(84532)
    const { amountIn } = await agio.api.convert.preview.query(inputs['convert.preview'])
    expect(amountIn).toBe('1000')
    const sent = agio.api.transaction.broadcast.mutate({ signedTransaction: '0x02' })
    await expect(sent).rejects.toMatchObject({ name: 'AgioError', code: 'svc/invalid-transaction', status: 400 })
  })
})

const proxyPath = '/proxy/agio'

let stack: ProxiedStack
let proxy: HttpProxy
let agio: Agio

beforeAll(async () => {
  // No head stays confirmed: every request needs the node.
  stack = await startProxiedStack(() => ({ snapshotMaxAgeMs: 0 }))
  proxy = await startHttpProxy(stack.url, proxyPath)
  agio = connect()
})

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await stack?.[Symbol.asyncDispose]()
})

afterEach(async () => {
  await proxy.reopen()
  proxy.reset()
})

const connect = (options: Partial<AgioOptions> = {}) => createAgio({ url: proxy.url, apiKey, ...options })
const list = (client = agio) => client.api.chains.list.query()
const page = '<!doctype html><title>Welcome</title>'

/** Returns the error of a call, which must be one of the SDK, and must not have the key anywhere. */
async function findError(call: Promise<unknown>): Promise<AnyAgioError> {
  const error = await getReason(call)
  if (!isAgioError(error)) throw new Error('The call has no error of the SDK', { cause: error })
  expect(`${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)}`).not.toContain(apiKey)
  return error
}

/** Returns what a call rejects with. */
async function getReason(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
}

/** A signed transaction that the service would broadcast. */
async function signTransfer(): Promise<`0x${string}`> {
  const account = privateKeyToAccount(generatePrivateKey())
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n, gas: 21_000n }
  return await account.signTransaction({ chainId: 84532, nonce: 0, to: account.address, ...fees })
}

describe('the requests of the SDK', () => {
  it('every request is a POST to /trpc below the path of a proxy, with its input in the body and its key in a header', async () => {
    const inputs = validInputs(stack.localnet.chains[84532])
    await agio.api.convert.preview.query(inputs['convert.preview'])
    await findError(agio.api.transaction.broadcast.mutate({ signedTransaction: '0x02' }))
    expect(proxy.requests).toMatchObject([
      { method: 'POST', url: `${proxyPath}/trpc/convert.preview`, body: JSON.stringify(inputs['convert.preview']) },
      { method: 'POST', url: `${proxyPath}/trpc/transaction.broadcast`, body: '{"signedTransaction":"0x02"}' },
    ])
    for (const { headers } of proxy.requests) expect(headers['x-api-key']).toBe(apiKey)
  })

  it('a base URL may end with a slash', async () => {
    await list(connect({ url: `${proxy.url}/` }))
    expect(proxy.requests).toMatchObject([{ url: `${proxyPath}/trpc/chains.list`, status: 200 }])
  })

  it('getApiKey is asked for each request, the retries included', async () => {
    const keys = ['first', 'second', apiKey]
    const rotating = connect({ getApiKey: async () => keys.shift() ?? '', apiKey: undefined })
    expect(await findError(list(rotating))).toMatchObject({ code: 'svc/unauthorized' })
    proxy.setAnswer(async (response, forward) => {
      if (proxy.requests.length === 2) response.writeHead(503).end()
      else await forward()
    })
    await list(rotating)
    expect(proxy.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['first', 'second', apiKey])
  })

  it('what getApiKey throws is thrown by the call, and nothing is sent', async () => {
    const reason = new Error('signed out')
    const signedOut = connect({ getApiKey: () => Promise.reject(reason), apiKey: undefined })
    await expect(list(signedOut)).rejects.toBe(reason)
    expect(proxy.requests).toEqual([])
  })

  it('a client without a key sends none: its proxy adds it', async () => {
    expect(await findError(list(connect({ apiKey: undefined })))).toMatchObject({ code: 'svc/unauthorized' })
    expect(proxy.requests[0]?.headers).not.toHaveProperty('x-api-key')
  })

  it.each(['', 'a\nb', 'a b', 'é', `${'k'.repeat(9)}\n`])(
    'a key that no header can have is refused without being quoted, and nothing is sent',
    async (unusable) => {
      const error = await getReason(list(connect({ apiKey: unusable })))
      expect(error).toBeInstanceOf(TypeError)
      expect((error as TypeError).message).toBe(
        'Cannot use the key of the service: it is empty, or has spaces, line breaks or other than ASCII',
      )
      expect(proxy.requests).toEqual([])
    },
  )

  it('a client with two keys is refused', () => {
    expect(() => connect({ getApiKey: () => 'other' })).toThrow(TypeError)
  })

  it('a fetch of the application is called as a function, and gets each request', async () => {
    const targets: unknown[] = []
    const own = connect({
      fetch(this: unknown, target, init) {
        targets.push(this, target)
        return fetch(target, init)
      },
    })
    await list(own)
    expect(targets).toEqual([undefined, `${proxy.url}/trpc/chains.list`])
  })

  it('procedures can be awaited, compared and printed without a request', async () => {
    expect(await Promise.resolve(agio.api)).toBe(agio.api)
    expect(agio.api.pools.list).toBe(agio.api.pools.list)
    expect(`${JSON.stringify(agio)} ${inspect(agio)}`).not.toContain(apiKey)
    expect(proxy.requests).toEqual([])
  })
})

describe('the errors of the SDK', () => {
  it('error: svc/unauthorized for an unknown key, with the request id of the response, and no retry', async () => {
    const error = await findError(list(connect({ apiKey: 'unknown' })))
    expect(error).toMatchObject({ code: 'svc/unauthorized', status: 401, retryable: false, action: 'fix_input' })
    expect(error.message).toMatch(/^svc\/unauthorized: Cannot /)
    expect(error.requestId).toMatch(/\S{8}/)
    expect(proxy.requests).toHaveLength(1)
  })

  it('an error has the fields of its code alone as its details', async () => {
    const [tokenIn, tokenOut] = ['tAUD', 'tUSD'].map((symbol) => stack.localnet.chains[84532].tokens[symbol as 'tAUD'])
    const preview = agio.api.convert.preview.query({
      tokenIn: tokenIn ?? '0x',
      tokenOut: tokenOut ?? '0x',
      amountIn: 'x',
    })
    expect((await findError(preview)).details).toEqual({ field: 'amountIn', value: 'x' })
  })

  it('a limit of calls that passes within 30 s is waited for', async () => {
    const limits = { requests: 2, windowSeconds: 2, burstPerSecond: 100, monthlyQuota: 1000 }
    const { key } = await createAdminClient(stack.url).issue(limits)
    const limited = connect({ apiKey: key })
    await Promise.all([list(limited), list(limited), list(limited)])
    const statuses = proxy.requests.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses).toContain(429)
  })

  it('error: svc/rate-limited with its Retry-After, at once where that is too long to wait', async () => {
    const limits = { requests: 1, windowSeconds: 86_400, burstPerSecond: 100, monthlyQuota: 1000 }
    const { key } = await createAdminClient(stack.url).issue(limits)
    const limited = connect({ apiKey: key })
    await list(limited)
    const error = await findError(list(limited))
    if (error.code !== 'svc/rate-limited') throw error
    expect(error.details.retryAfterSeconds).toBeGreaterThan(30)
    expect(error.retryAfterSeconds).toBe(error.details.retryAfterSeconds)
    expect(proxy.requests.map(({ status }) => status)).toEqual([200, 429])
  })

  it('error: network/unreachable for a service that is down, after the retries of a query', async () => {
    await proxy.close()
    let sent = 0
    const counting: typeof fetch = (target, init) => {
      sent += 1
      return fetch(target, init)
    }
    const error = await findError(list(connect({ fetch: counting })))
    const url = `${proxy.url}/trpc/chains.list`
    expect(error).toMatchObject({ code: 'network/unreachable', details: { url }, status: undefined, retryable: true })
    expect(sent).toBe(4)
    await findError(list(connect({ fetch: counting, maxRetries: 0 })))
    expect(sent).toBe(5)
  })

  it('error: network/unreachable for a host that does not exist', async () => {
    const error = await findError(list(connect({ url: 'http://agio.invalid', maxRetries: 0 })))
    expect(error).toMatchObject({ code: 'network/unreachable' })
  })

  it.each([
    ['breaks off before its response', (response) => void response.destroy()],
    [
      'breaks off in its response',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"result":')
        response.destroy()
      },
    ],
  ] satisfies [string, (response: ServerResponse) => void][])(
    'a connection that %s is network/unreachable, and a query is repeated until the service answers',
    async (_, answer) => {
      proxy.setAnswer(answer)
      expect(await findError(list(connect({ maxRetries: 1 })))).toMatchObject({ code: 'network/unreachable' })
      proxy.reset()
      proxy.setAnswer(async (response, forward) => {
        if (proxy.requests.length < 3) answer(response)
        else await forward()
      })
      await list()
      expect(proxy.requests).toHaveLength(3)
    },
  )

  it.each([429, 502, 503, 504, 522])(
    'a proxy that answers %i by a page is network/unreachable, and a query is repeated until the service answers',
    async (status) => {
      const refuse: Parameters<HttpProxy['setAnswer']>[0] = (response) =>
        void response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '0' }).end(page)
      proxy.setAnswer(refuse)
      const error = await findError(list(connect({ maxRetries: 0 })))
      expect(error).toMatchObject({ code: 'network/unreachable', status, details: { status, retryAfterSeconds: 0 } })
      proxy.reset()
      proxy.setAnswer(async (response, forward) => {
        if (proxy.requests.length < 3) await refuse(response, forward)
        else await forward()
      })
      await list()
      expect(proxy.requests.map((request) => request.status)).toEqual([status, status, 200])
    },
  )

  it('a Retry-After that is a date is read as seconds', async () => {
    proxy.setAnswer((response) => {
      const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
      response.writeHead(503, { 'retry-after': inAnHour }).end(page)
    })
    const { retryAfterSeconds } = await findError(list())
    expect(retryAfterSeconds).toBeGreaterThan(3500)
    expect(retryAfterSeconds).toBeLessThanOrEqual(3600)
    expect(proxy.requests).toHaveLength(1)
  })

  it.each([
    [200, 'text/html', page],
    [404, 'text/html', page],
    [200, 'application/json', '{}'],
    [200, 'application/json', 'null'],
    [200, 'application/json', '{"result":null}'],
    [200, 'application/json', '{"result":'],
    [401, 'application/json', '{"error":"no"}'],
    [
      401,
      'application/json',
      '{"error":{"message":"no","code":-32001,"data":{"code":"UNAUTHORIZED","httpStatus":401}}}',
    ],
    [500, 'application/json', '{"result":{"data":{}}}'],
  ])('error: network/invalid-response for status %i with the %s %s, and no retry', async (status, type, body) => {
    proxy.setAnswer((response) => void response.writeHead(status, { 'content-type': type }).end(body))
    const error = await findError(list())
    const details = { url: `${proxy.url}/trpc/chains.list`, status }
    expect(error).toMatchObject({ code: 'network/invalid-response', status, details, retryable: false })
    expect(proxy.requests).toHaveLength(1)
  })

  it('error: network/invalid-response for a path of the service that is not its base', async () => {
    const error = await findError(list(createAgio({ url: `${stack.url}/api/v1`, apiKey })))
    expect(error).toMatchObject({ code: 'network/invalid-response', status: 404 })
  })

  it.each([301, 307, 308])(
    'a redirect by %i is not followed, so that the key goes to no other place',
    async (status) => {
      await using elsewhere = await startHttpProxy(stack.url)
      const location = `${elsewhere.url}/trpc/chains.list`
      proxy.setAnswer((response) => void response.writeHead(status, { location }).end())
      expect(await findError(list())).toMatchObject({ code: 'network/invalid-response', status })
      expect(elsewhere.requests).toEqual([])
    },
  )

  it('a code of a newer service is passed on', async () => {
    const data = { code: 'svc/of-tomorrow', httpStatus: 422, retryable: false, action: 'wait', day: 'Sunday' }
    const error = { message: 'svc/of-tomorrow: Cannot answer today', code: -32_600, data }
    proxy.setAnswer((response) => void response.writeHead(422).end(JSON.stringify({ error })))
    const { day: _, ...known } = { ...data, status: 422, details: { day: 'Sunday' } }
    const { httpStatus: __, ...expected } = known
    expect(await findError(list())).toMatchObject(expected)
  })
})

describe('a dead node behind the service', () => {
  const check = () => {
    const { tokens, deployment } = stack.localnet.chains[84532]
    const approval = { tokenAddress: tokens['tAUD'], spenderAddress: deployment.router, requiredAmount: '1' }
    return agio.api.approval.check.query({ ...approval, ownerAddress: tokens['tUSD'] })
  }

  afterEach(async () => {
    await stack.proxies[84532].reopen()
    await vi.waitFor(check, eventually)
  })

  it('error: svc/upstream-unavailable after the retries of a query, each after its Retry-After', async () => {
    await stack.proxies[84532].close()
    const error = await findError(check())
    expect(error).toMatchObject({ code: 'svc/upstream-unavailable', status: 503, retryable: true, action: 'retry' })
    // It stands in the header alone.
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1)
    expect(proxy.requests.map(({ status }) => status)).toEqual([503, 503, 503, 503])
  })

  it('a query succeeds when the node is back in the meantime', async () => {
    await stack.proxies[84532].close()
    const checked = check()
    await vi.waitUntil(() => proxy.requests[0]?.isClosed === true, eventually)
    await stack.proxies[84532].reopen()
    expect(await checked).toMatchObject({ needsApproval: true })
    expect(proxy.requests[0]?.status).toBe(503)
  })
})

describe('a mutation', () => {
  const broadcast = async (options: { signal?: AbortSignal } = {}) =>
    await agio.api.transaction.broadcast.mutate({ signedTransaction: await signTransfer() }, options)

  it('a broadcast is never repeated when the node is dead, and its error has the hash', async () => {
    await stack.proxies[84532].close()
    try {
      const error = await findError(broadcast())
      expect(error).toMatchObject({ code: 'svc/upstream-unavailable', retryable: true })
      expect(error.details).toHaveProperty('transactionHash')
      expect(proxy.requests).toHaveLength(1)
    } finally {
      await stack.proxies[84532].reopen()
    }
  })

  it.each([
    ['network/unreachable', 503],
    ['network/unreachable', 429],
    ['network/invalid-response', 500],
  ])('a broadcast is never repeated after %s of status %i', async (code, status) => {
    proxy.setAnswer((response) => void response.writeHead(status, { 'retry-after': '0' }).end(page))
    expect(await findError(broadcast())).toMatchObject({ code, status })
    expect(proxy.requests).toHaveLength(1)
  })

  it('a broadcast is never repeated when the connection breaks off', async () => {
    proxy.setAnswer((response) => void response.destroy())
    expect(await findError(broadcast())).toMatchObject({ code: 'network/unreachable' })
    expect(proxy.requests).toHaveLength(1)
  })

  it('a mutation is not repeated either when an untyped caller calls it a query', async () => {
    proxy.setAnswer((response) => void response.destroy())
    const untyped = agio.api.transaction.broadcast as unknown as { query(input: object): Promise<unknown> }
    await findError(untyped.query({ signedTransaction: await signTransfer() }))
    expect(proxy.requests).toHaveLength(1)
  })
})

describe('a signal', () => {
  it('an aborted signal sends nothing, and asks for no key', async () => {
    let asked = 0
    const keyed = connect({ apiKey: undefined, getApiKey: () => String((asked += 1)) })
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(keyed.api.pools.list.query({}, { signal })).rejects.toBe(signal.reason)
    await expect(keyed.api.transaction.broadcast.mutate({ signedTransaction: '0x' }, { signal })).rejects.toBe(
      signal.reason,
    )
    expect([asked, proxy.requests]).toEqual([0, []])
  })

  it('an abort ends a slow request at once with its reason, and closes its connection', async () => {
    proxy.setAnswer(() => {})
    const stop = new AbortController()
    const pending = agio.api.pools.list.query({}, { signal: stop.signal })
    const reason = getReason(pending)
    await vi.waitUntil(() => proxy.requests.length === 1, eventually)
    stop.abort()
    expect(await reason).toBe(stop.signal.reason)
    await vi.waitUntil(() => proxy.requests[0]?.isClosed === true, eventually)
    expect(proxy.requests).toHaveLength(1)
  })

  it('an abort ends a response that never ends', async () => {
    proxy.setAnswer((response) => void response.writeHead(200).write('{"result":'))
    const signal = AbortSignal.timeout(300)
    await expect(agio.api.pools.list.query({}, { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
    await vi.waitUntil(() => proxy.requests[0]?.isClosed === true, eventually)
  })

  it('an abort ends the wait for a retry', async () => {
    proxy.setAnswer((response) => void response.writeHead(503, { 'retry-after': '20' }).end())
    const stop = new AbortController()
    const reason = getReason(agio.api.pools.list.query({}, { signal: stop.signal }))
    await vi.waitUntil(() => proxy.requests[0]?.isClosed === true, eventually)
    stop.abort('enough')
    expect(await reason).toBe('enough')
    expect(proxy.requests).toHaveLength(1)
  })

  it('an abort ends the wait for a key, and nothing is sent', async () => {
    const stop = new AbortController()
    const keyed = connect({ apiKey: undefined, getApiKey: () => new Promise<string>(() => {}) })
    const reason = getReason(keyed.api.pools.list.query({}, { signal: stop.signal }))
    stop.abort('enough')
    expect(await reason).toBe('enough')
    expect(proxy.requests).toEqual([])
  })

  it('an abort ends a call whose fetch does not know signals', async () => {
    const deaf = connect({ fetch: () => new Promise<Response>(() => {}) })
    const stop = new AbortController()
    const reason = getReason(deaf.api.pools.list.query({}, { signal: stop.signal }))
    stop.abort('enough')
    expect(await reason).toBe('enough')
  })

  it('a signal that outlives its calls has none of their listeners', async () => {
    const { signal } = new AbortController()
    await agio.api.chains.list.query(undefined, { signal })
    await findError(agio.api.pools.get.query({ poolAddress: '0x' }, { signal }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
