import { createAgio } from '@agio/sdk'
import { expect, it, vi } from 'vitest'
import { type Call, createCalls, getApiKey, hideSecrets, parseRateLimit, readStart, recordCalls } from './calls.ts'

const calls = createCalls()

const newest = () => calls.getState().calls[0] as Call

async function finished(): Promise<Call> {
  await vi.waitUntil(() => newest().response !== undefined)
  return newest()
}

function post(procedure: string, answer: () => Response | Promise<Response>, init: RequestInit = {}) {
  return recordCalls(calls, async () => await answer())(`/trpc/${procedure}`, {
    method: 'POST',
    body: '{"a":"1"}',
    ...init,
  })
}

it('a call is recorded when it begins, and its response when all of it has arrived, as the caller gets it', async () => {
  const headers = { 'x-request-id': 'request-1' }
  const { total } = calls.getState()
  const sent = post('convert.quote', () => new Response('{"result":{"data":1}}', { headers }))
  expect(newest()).toMatchObject({ id: total + 1, procedure: 'convert.quote', input: { a: '1' } })
  expect(newest().response).toBeUndefined()
  expect(await (await sent).json()).toEqual({ result: { data: 1 } })
  expect((await finished()).response).toEqual({
    status: 200,
    ms: expect.any(Number) as number,
    requestId: 'request-1',
    text: '{"result":{"data":1}}',
    bytes: 21,
    isCut: false,
    isAborted: false,
  })
})

it('a recorded call has neither the key nor any other header', async () => {
  const key = 'secret-of-the-test'
  await post('chains.list', () => new Response('{}'), { headers: { 'x-api-key': key, 'x-admin-key': key } })
  await finished()
  expect(JSON.stringify(calls.getState())).not.toContain(key)
})

it('the caller gets the secret of an issued key, and the record has none', async () => {
  const secret = `agio_${'x'.repeat(43)}`
  const response = await post('admin.keys.create', () => new Response(`{"result":{"data":{"key":"${secret}"}}}`))
  expect(await response.text()).toContain(secret)
  expect((await finished()).response?.text).toBe('{"result":{"data":{"key":"agio_…"}}}')
})

it('of a response of a megabyte the record keeps the start, and the caller gets all', async () => {
  const sent = await post('pools.list', () => new Response('x'.repeat(1_000_000)))
  expect(await sent.text()).toHaveLength(1_000_000)
  const { response } = await finished()
  expect(response).toMatchObject({ bytes: 1_000_000, isCut: true })
  expect(response?.text).toHaveLength(65_536)
})

it('a response without a body is recorded, and reaches the caller', async () => {
  expect((await post('chains.list', () => new Response(null, { status: 204 }))).status).toBe(204)
  expect((await finished()).response).toMatchObject({ status: 204, text: '', bytes: 0 })
})

it('a call that gets no response is recorded with the error of fetch, and fails', async () => {
  const refuse = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(post('chains.list', refuse)).rejects.toThrow('Failed to fetch')
  expect(newest().response).toMatchObject({ status: undefined, text: 'TypeError: Failed to fetch', isAborted: false })
})

it('a call that the page aborts is recorded as aborted, before its response and in the middle of it', async () => {
  const signal = AbortSignal.abort()
  const abort = () => Promise.reject(signal.reason as Error)
  await expect(post('convert.quote', abort, { signal })).rejects.toThrow('aborted')
  expect(newest().response).toMatchObject({ status: undefined, isAborted: true })
  await post('convert.quote', () => new Response(breakOff(signal.reason)), { signal })
  expect((await finished()).response).toMatchObject({ status: 200, isAborted: true })
})

it('a body that breaks off is recorded with its status and the error', async () => {
  const response = await post('chains.list', () => new Response(breakOff(new Error('reset'))))
  await expect(response.text()).rejects.toThrow('reset')
  expect((await finished()).response).toMatchObject({ status: 200, text: 'Error: reset', isAborted: false })
})

it('the last hundred calls are kept, and the number of all', async () => {
  const { total } = calls.getState()
  for (let sent = 0; sent < 103; sent += 1) {
    await post('chains.list', () => new Response('{}'), { body: JSON.stringify({ sent }) })
  }
  expect(calls.getState()).toMatchObject({ total: total + 103 })
  expect(calls.getState().calls).toHaveLength(100)
  expect(calls.getState().calls.at(-1)?.input).toEqual({ sent: 3 })
})

it('the limits come from the last response to the API key', async () => {
  const headers = { 'RateLimit-Policy': '"burst";q=10;w=1', RateLimit: '"burst";r=9;t=1' }
  await post('chains.list', () => new Response('{}', { headers }))
  await post('admin.keys.list', () => new Response('{}'))
  const { limits, limitsAt } = calls.getState()
  expect(limits).toMatchObject([{ name: 'burst', remaining: 9 }])
  expect(Date.now() - limitsAt).toBeLessThan(10_000)
})

function breakOff(reason: unknown): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.error(reason) })
}

const secret = `agio_${'aB3-_'.repeat(8)}xyz`

it.each(['admin.keys.create', 'admin.keys.rotate', 'convert.quote'])(
  'a body of %s has no secret of a key in any position',
  (procedure) => {
    const body = JSON.stringify({ result: { data: { id: 'key_1', key: secret, note: `it is ${secret}` } } })
    const hidden = hideSecrets(procedure, body)
    expect(hidden).not.toContain(secret.slice(0, 17))
    expect(JSON.parse(hidden)).toEqual({ result: { data: { id: 'key_1', key: 'agio_…', note: 'it is agio_…' } } })
  },
)

it('a secret that is cut off is hidden too', () => {
  expect(hideSecrets('admin.keys.create', `{"key":"${secret.slice(0, 30)}`)).toBe('{"key":"agio_…"')
})

it('an issued secret of another form is hidden by the name of its field', () => {
  expect(hideSecrets('admin.keys.rotate', '{"key": "sk-1"}')).toBe('{"key": "agio_…"}')
})

it('the prefix of a key, which is public, stays', () => {
  const body = '{"keys":[{"id":"key_1","prefix":"agio_aB3-_x"}]}'
  expect(hideSecrets('admin.keys.list', body)).toBe(body)
})

function bodyOf(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
}

it.each([
  [10, 'abcdef', 6],
  [6, 'abcdef', 6],
  [4, 'abcd', 6],
  [3, 'abc', 6],
  [0, '', 6],
])('of a body in chunks, the first %i bytes are kept as %j, and all %i are counted', async (maxBytes, text, bytes) => {
  expect(await readStart(bodyOf('abc', 'def'), maxBytes)).toEqual({ text, bytes })
})

it('a body that ends within a character has no replacement for it', async () => {
  expect(await readStart(bodyOf('aé'), 2)).toEqual({ text: 'a', bytes: 3 })
})

it('a call without a key fails as the service would refuse it, and is not sent', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>()
  const agio = createAgio({ url: 'http://127.0.0.1', getApiKey: () => getApiKey({ apiKey: '' }), fetch })
  await expect(agio.api.chains.list.query()).rejects.toMatchObject({ name: 'AgioError', code: 'svc/unauthorized' })
  expect(fetch).not.toHaveBeenCalled()
})

it('the windows of a key have the limits of the policy and the remaining calls', () => {
  const headers = new Headers({
    'RateLimit-Policy': '"standard";q=100;w=900, "burst";q=10;w=1, "nodes";q=60000;w=900',
    RateLimit: '"standard";r=97;t=812, "burst";r=9;t=1, "nodes";r=59994;t=812',
  })
  expect(parseRateLimit(headers)).toEqual([
    { name: 'standard', limit: 100, windowSeconds: 900, remaining: 97, resetSeconds: 812 },
    { name: 'burst', limit: 10, windowSeconds: 1, remaining: 9, resetSeconds: 1 },
    { name: 'nodes', limit: 60_000, windowSeconds: 900, remaining: 59_994, resetSeconds: 812 },
  ])
})

it('a key without limits has no windows', () => {
  expect(parseRateLimit(new Headers())).toBeUndefined()
})

it('a window without a state in the response has all of its calls left', () => {
  expect(parseRateLimit(new Headers({ 'RateLimit-Policy': '"burst";q=10;w=1' }))).toEqual([
    { name: 'burst', limit: 10, windowSeconds: 1, remaining: 10, resetSeconds: 1 },
  ])
})
