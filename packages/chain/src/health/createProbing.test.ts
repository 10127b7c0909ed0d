import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createProbing, type Probing } from './createProbing.ts'

const backoff = { firstMs: 500, maxMs: 4000 }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts a probing that records when it probes, in milliseconds from the start. */
function start({ random = 0, stopAt = Infinity, hasSubstitute = true }): {
  readonly times: number[]
  readonly probing: Probing
} {
  const times: number[] = []
  const beganAtMs = performance.now()
  const probing = createProbing({
    random: () => random,
    hasSubstitute: () => hasSubstitute,
    async probe() {
      // A timer of 0 ms takes a millisecond.
      times.push(Math.floor((performance.now() - beganAtMs) / 5) * 5)
      if (times.length >= stopAt) probing.stop()
    },
  })
  probing.start(backoff)
  return { times, probing }
}

it('each delay between probes is shortened by up to a quarter at random', async () => {
  const { times } = start({ random: 1 })
  await vi.advanceTimersByTimeAsync(6000)
  expect(times).toEqual([375, 1125, 2625, 5625])
})

it('a stop from within a probe ends the probing and leaves no timer', async () => {
  const { times } = start({ stopAt: 2 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(times).toEqual([500, 1500])
  expect(vi.getTimerCount()).toBe(0)
})

it('a second start within 30 s of the stop continues with the next delay, and replaces the first start', async () => {
  const { times, probing } = start({})
  await vi.advanceTimersByTimeAsync(3500)
  probing.start(backoff)
  await vi.advanceTimersByTimeAsync(4000)
  expect(times).toEqual([500, 1500, 3500, 7500])
})

it.each([
  [29_000, 1500],
  [31_000, 1000],
])('a probing that starts %i ms after the last one has stopped probes within %i ms', async (pauseMs, withinMs) => {
  const { times, probing } = start({ stopAt: 1 })
  await vi.advanceTimersByTimeAsync(500 + pauseMs)
  probing.start(backoff)
  const startedAtMs = 500 + pauseMs
  await vi.advanceTimersByTimeAsync(withinMs)
  expect(times).toEqual([500, startedAtMs + withinMs - 500])
})

it('a second start begins again with the first delay if no other node can be used', async () => {
  const { times, probing } = start({ hasSubstitute: false })
  await vi.advanceTimersByTimeAsync(3500)
  probing.start(backoff)
  await vi.advanceTimersByTimeAsync(500)
  expect(times).toEqual([500, 1500, 3500, 4000])
})

it('a reset begins again with the first delay', async () => {
  const { times, probing } = start({})
  await vi.advanceTimersByTimeAsync(3500)
  probing.reset()
  probing.start(backoff)
  await vi.advanceTimersByTimeAsync(500)
  expect(times).toEqual([500, 1500, 3500, 4000])
})
