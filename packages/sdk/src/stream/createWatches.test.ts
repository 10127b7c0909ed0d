import { expect, it } from 'vitest'
import { createAgio } from '../createAgio.ts'

const hash = `0x${'ab'.repeat(32)}` as const

/** A client of a service whose streams have these events and then stay open. */
function connect(...events: readonly object[]) {
  const text = events.map((event) => `data: ${JSON.stringify({ index: 0, ...event })}\n\n`).join('')
  const body = () => new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) })
  const headers = { 'content-type': 'text/event-stream' }
  // Responses that are not encrypted are accepted only with the option.
  return createAgio({
    url: 'http://agio.example',
    allowInsecure: true,
    fetch: async () => new Response(body(), { headers }),
  })
}

const tracked = { topic: 'transaction', transactionHash: hash, status: 'pending' }
const next = async (...events: readonly object[]) => {
  const values = connect(...events).watchTransaction({ chainId: 84532, transactionHash: hash })
  return await values[Symbol.asyncIterator]().next()
}

it('a service that is not encrypted is watched with `allowInsecure`', async () => {
  expect(await next(tracked)).toMatchObject({ value: { transactionHash: hash, status: 'pending' } })
})

const failure = {
  success: false,
  error: 'svc/stale-price: ',
  code: 'svc/stale-price',
  retryable: false,
  action: 'wait',
}

it.each([
  ['a replacement that is nothing', { ...tracked, status: 'replaced', replacement: null }],
  ['a status that is an object', { ...tracked, status: { toString: null } }],
  ['an error that is nothing', { topic: 'transaction', error: null }],
  ['the error of a wallet', { topic: 'transaction', error: { ...failure, code: 'wallet/rejected' } }],
  ['an error without a text', { topic: 'transaction', error: { ...failure, error: { toString: null } } }],
])('error: network/invalid-response for an event with %s', async (_, event) => {
  await expect(next(event)).rejects.toMatchObject({ code: 'network/invalid-response' })
})

it('an unknown action and seconds that are not a whole number do not reach the error of a topic', async () => {
  const error = { ...failure, action: '__proto__', retryAfterSeconds: 1e300, oracle: '0x01' }
  const expected = {
    code: 'svc/stale-price',
    action: 'fix_input',
    retryAfterSeconds: undefined,
    details: { oracle: '0x01' },
  }
  await expect(next({ topic: 'transaction', error })).rejects.toMatchObject(expected)
  const waiting = next({ topic: 'transaction', error: { ...failure, retryAfterSeconds: 1e12 } })
  await expect(waiting).rejects.toMatchObject({ retryAfterSeconds: 1e12, details: { retryAfterSeconds: 1e12 } })
})
