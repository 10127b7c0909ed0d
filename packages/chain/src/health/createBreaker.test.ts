import { expect, it } from 'vitest'
import { createBreaker } from './createBreaker.ts'

/** Creates a breaker that opens at a weight of three, with its own clock. */
function create() {
  let nowMs = 0
  const breaker = createBreaker({ getLimit: () => 3, now: () => nowMs })
  return {
    ...breaker,
    /** Makes a request that begins after all others, and fails a second later. */
    fail(weight = 1) {
      const startedAtMs = (nowMs += 1000)
      nowMs += 1000
      return breaker.add({ startedAtMs, weight })
    },
    failFrom: (startedAtMs: number) => breaker.add({ startedAtMs, weight: 1 }),
  }
}

it('the breaker opens at the third fault in a row', () => {
  const { fail } = create()
  expect([fail(), fail(), fail()]).toEqual([false, false, true])
})

it('faults of a greater weight open the breaker sooner', () => {
  const { fail } = create()
  expect([fail(2), fail(2)]).toEqual([false, true])
})

it('a successful request resets the count of faults', () => {
  const { fail, clear } = create()
  expect([fail(), fail()]).toEqual([false, false])
  clear()
  expect([fail(), fail(), fail()]).toEqual([false, false, true])
})

it('faults of requests that were in flight together count once', () => {
  const { fail, failFrom } = create()
  fail()
  expect([failFrom(1000), failFrom(1500), failFrom(1999), fail(), fail()]).toEqual([false, false, false, false, true])
})
