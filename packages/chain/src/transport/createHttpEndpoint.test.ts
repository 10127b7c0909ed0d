import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createHttpEndpoint, matchResponses } from './createHttpEndpoint.ts'

const requests = [{ id: 7 }, { id: 8 }]
const [seven, eight] = [
  { id: 7, result: 'seven' },
  { id: 8, result: 'eight' },
]

it('the responses to a batch are accepted in any order', () => {
  expect(matchResponses(requests, [eight, seven])).toEqual([eight, seven])
  expect(matchResponses(requests, [seven, { id: 8, error: { code: 3 } }])).toHaveLength(2)
})

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
