import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Connections } from './Connections.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const fields = { code: 'svc/rate-limited', retryable: true, action: 'wait' }

/** Watches a topic of a service whose streams send an event and then fail. Returns a function that counts the connections. */
function watch(error: object, event = '') {
  const text = `${event}event: serialized-error\ndata: ${JSON.stringify({ message: '', data: { ...fields, ...error } })}\n\n`
  const headers = { 'content-type': 'text/event-stream' }
  const fetch = vi.fn(async () => new Response(text, { headers }))
  const ended = vi.fn()
  const handlers = { onEvent: () => {}, onInterrupt: () => {}, onEnd: ended }
  new Connections({ url: '/agio', fetch }, handlers).setTopics([{ topic: 'prices', chainId: 84532 }])
  return { count: () => fetch.mock.calls.length, ended }
}

it('a subscription with a delay of a trillion seconds is reopened after five minutes', async () => {
  const { count } = watch({ retryAfterSeconds: 1e12 })
  await vi.advanceTimersByTimeAsync(299_000)
  expect(count()).toBe(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(count()).toBe(2)
})

it('a service that refuses the id of each event it sends is asked at most twice a second', async () => {
  const { count } = watch({ field: 'Last-Event-ID' }, 'id: 1\ndata: {"topic":"prices","index":0}\n\n')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(count()).toBeLessThanOrEqual(21)
})

it('a topic ends with an error whose field is not a text', async () => {
  const { ended } = watch({ field: { toString: null }, retryable: false })
  await vi.advanceTimersByTimeAsync(1000)
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'svc/rate-limited' }), [
    { topic: 'prices', chainId: 84532 },
  ])
})
