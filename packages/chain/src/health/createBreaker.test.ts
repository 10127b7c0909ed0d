import { expect, it } from 'vitest'
import { createBreaker } from './createBreaker.ts'

/** A breaker that opens at a weight of three, and its clock. */
function create() {
  let nowMs = 0
  const breaker = createBreaker({ getLimit: () => 3, now: () => nowMs })
  return {
    ...breaker,
    /** A call that begins after all others, and fails a second later. */
    fail(weight = 1) {
      const startedAtMs = (nowMs += 1000)
      nowMs += 1000
      return breaker.add({ startedAtMs, weight })
    },
    failFrom: (startedAtMs: number) => breaker.add({ startedAtMs, weight: 1 }),
  }
}

it('opens at the third fault in a row', () => {
  const { fail } = create()
  expect([fail(), fail(), fail()]).toEqual([false, false, true])
})

it('opens sooner by faults that weigh more', () => {
  const { fail } = create()
  expect([fail(2), fail(2)]).toEqual([false, true])
})

it('begins anew after an answer', () => {
  const { fail, clear } = create()
  expect([fail(), fail()]).toEqual([false, false])
  clear()
  expect([fail(), fail(), fail()]).toEqual([false, false, true])
})

it('counts calls that were under way when the last fault was counted as one with it', () => {
  const { fail, failFrom } = create()
  fail()
  expect([failFrom(1000), failFrom(1500), failFrom(1999), fail(), fail()]).toEqual([false, false, false, false, true])
})
