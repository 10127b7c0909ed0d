import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createAgio } from '../createAgio.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const hash = `0x${'ab'.repeat(32)}` as const

/** Creates a client of a service that sends a byte after each of the given pauses, in milliseconds. */
function connect(pausesMs: Iterable<number>) {
  const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms))
  const pauses = pausesMs[Symbol.iterator]()
  const fetch = async () => {
    await wait(pauses.next().value ?? 0)
    return new Response(
      new ReadableStream({
        async pull(controller) {
          const { done, value: pauseMs = 0 } = pauses.next()
          if (done) return controller.close()
          await wait(pauseMs)
          controller.enqueue(new TextEncoder().encode(' '))
        },
      }),
    )
  }
  return createAgio({ url: '/agio', fetch, maxRetries: 0 }).api
}

function* forever(firstMs: number, pauseMs: number) {
  yield firstMs
  for (;;) yield pauseMs
}

const query = (pausesMs: Iterable<number>) => connect(pausesMs).transaction.status.query({ transactionHash: hash })
const mutate = (pausesMs: Iterable<number>) =>
  connect(pausesMs).transaction.broadcast.mutate({ signedTransaction: hash })

it.each([
  ['a query without a response', 30_000, () => query([1e9])],
  ['a mutation without a response', 60_000, () => mutate([1e9])],
  ['a response that stops', 29_000 + 14_000 + 15_000, () => query([29_000, 14_000, 1e9])],
  ['a response of a byte every half a second', 1000 + 60_000, () => query(forever(1000, 500))],
])('error: network/unreachable for %s, after %d ms', async (_, ms, call) => {
  let error: unknown
  void call().catch((thrown: unknown) => (error = thrown))
  await vi.advanceTimersByTimeAsync(ms - 1)
  expect(error).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(error).toMatchObject({ code: 'network/unreachable', retryable: true })
})
