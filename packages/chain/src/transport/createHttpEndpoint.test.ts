import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createHttpEndpoint, matchResponses } from './createHttpEndpoint.ts'

const requests = [{ id: 7 }, { id: 8 }]
const [seven, eight] = [
  { id: 7, result: 'seven' },
  { id: 8, result: 'eight' },
]

it.each([undefined, null, 7])('one error for a whole batch (id %s) is the response to each of its requests', (id) => {
  const error = { code: -32_005, message: 'limit exceeded' }
  expect(matchResponses(requests, { id, error })).toEqual([
    { jsonrpc: '2.0', id: 7, error },
    { jsonrpc: '2.0', id: 8, error },
  ])
})

it.each([
  ['an empty batch', []],
  ['a missing response', [seven]],
  ['an extra response', [seven, eight, { id: 9, result: 'nine' }]],
  ['a response of an unknown id', [seven, { id: 9, result: 'nine' }]],
  ['a repeated response', [seven, seven]],
  ['a response whose id is a string', [seven, { ...eight, id: '8' }]],
  ['a response without result and error', [seven, { id: 8 }]],
  ['a response of null', [seven, null]],
  ['an empty object', {}],
  ['a single result', { id: 7, result: 'seven' }],
  ['an error of an unknown id', { id: 9, error: { code: 3 } }],
  ['a string', 'seven'],
  ['null', null],
])('error: a batch answered by %s is a SyntaxError', (_, responses) => {
  expect(() => matchResponses(requests, responses)).toThrow(SyntaxError)
})

it('a response that arrives after a standstill of this process, longer than its time limit, is read', async () => {
  const { promise: responded, resolve } = Promise.withResolvers<Response>()
  const fetch = async (_: unknown, init?: RequestInit) => {
    const aborted = new Promise<never>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
    return await Promise.race([responded, aborted])
  }
  const { withLink } = createHttpEndpoint({ url: 'http://127.0.0.1:1', timeoutMs: 600, fetch })
  const read = withLink((link) => link.request({ method: 'eth_chainId' }))
  await setImmediate()
  // Stops this thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  // The timers that are due have run by then.
  await setImmediate()
  resolve(Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' }))
  expect(await read).toBe('0x1')
})

/** Connects to a node that takes batches of a size, and refuses larger ones. Records the size of each batch. */
function connectLimited(maxSize: number, refuse: () => Response) {
  const sizes: number[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = JSON.parse(init?.body as string) as { id: number } | { id: number }[]
    const calls = [body].flat()
    sizes.push(calls.length)
    if (calls.length > maxSize) return refuse()
    const replies = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }))
    return Response.json(Array.isArray(body) ? replies : replies[0])
  }
  const { withLink } = createHttpEndpoint({ url: 'http://127.0.0.1:1', timeoutMs: 600_000, fetch })
  const read = async (count: number) =>
    await withLink((link) =>
      Promise.allSettled(Array.from({ length: count }, () => link.request({ method: 'eth_blockNumber' }))),
    )
  return { sizes, read }
}

const tooLarge = { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'batch of more than 3 requests' } }

it.each([
  ['an error with status 200', () => Response.json(tooLarge)],
  ['an error with status 500', () => Response.json(tooLarge, { status: 500 })],
  ['status 413', () => new Response('Payload Too Large', { status: 413 })],
  ['status 500', () => new Response('failed', { status: 500 })],
])(
  'a batch that a node refuses with %s is divided, and the next batches have the size that it takes',
  async (_, refuse) => {
    const { sizes, read } = connectLimited(3, refuse)
    const isRead = { status: 'fulfilled', value: '0x1' }
    expect(await read(10)).toEqual(Array.from({ length: 10 }, () => isRead))
    expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual(3)
    const before = sizes.length
    expect(await read(7)).toEqual(Array.from({ length: 7 }, () => isRead))
    expect(sizes.slice(before)).toEqual([3, 3, 1])
  },
)

it.each([
  ['an error', () => Response.json(tooLarge), 4],
  ['status 500', () => new Response('failed', { status: 500 }), 4],
  ['status 429', () => new Response('failed', { status: 429 }), 1],
])(
  'a node that answers every request with %s gets few requests for a batch, and no smaller batches later',
  async (_, refuse, count) => {
    const { sizes, read } = connectLimited(0, refuse)
    for (const first of [0, count]) {
      expect(await read(8)).toMatchObject(Array.from({ length: 8 }, () => ({ status: 'rejected' })))
      expect(sizes.slice(first)).toEqual([8, 4, 2, 1].slice(0, count))
    }
  },
)
