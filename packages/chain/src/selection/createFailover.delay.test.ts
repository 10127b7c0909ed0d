import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRetryDelay } from './createFailover.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns when the delay of each caller ends, for callers that start at the given times, in milliseconds. */
async function listEnds(startsMs: readonly number[], randoms: readonly number[]): Promise<readonly number[]> {
  const beganAtMs = performance.now()
  const left = [...randoms]
  const delay = createRetryDelay(() => left.shift() ?? 0)
  const waiting = startsMs.map(async (startMs) => {
    await new Promise((resolve) => setTimeout(resolve, startMs))
    await delay()
    return Math.round(performance.now() - beganAtMs)
  })
  await vi.advanceTimersByTimeAsync(1000)
  return await Promise.all(waiting)
}

it('a retry is delayed by 100 to 250 ms', async () => {
  expect(await listEnds([50, 300, 600], [0, 0.5, 1])).toEqual([150, 475, 850])
})

it('retries that begin together share one delay', async () => {
  expect(await listEnds([50, 50, 55], [0.2, 0.8, 0.9])).toEqual([180, 180, 180])
})
