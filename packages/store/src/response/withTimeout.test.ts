import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withTimeout } from './withTimeout.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Waits for a response with a time-out of 250 ms, and records what becomes of it. */
function start() {
  const { promise, resolve } = Promise.withResolvers<string>()
  const outcomes: string[] = []
  void withTimeout(promise, 250).then(
    (value) => outcomes.push(value),
    (error: Error) => outcomes.push(error.message),
  )
  return { resolve, outcomes }
}

const timedOut = 'Cannot use the response: it did not arrive within 250 ms'

it('a response within its time-out is returned, and no timer is left', async () => {
  const { resolve, outcomes } = start()
  await vi.advanceTimersByTimeAsync(249)
  resolve('response')
  await vi.advanceTimersByTimeAsync(0)
  expect(outcomes).toEqual(['response'])
  expect(vi.getTimerCount()).toBe(0)
})

it('a response that does not arrive within its time-out is an error', async () => {
  const { outcomes } = start()
  await vi.advanceTimersByTimeAsync(249)
  expect(outcomes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(outcomes).toEqual([timedOut])
})
