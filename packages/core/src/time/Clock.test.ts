import { expect, it, vi } from 'vitest'
import * as Clock from './Clock.ts'

it('a movable clock is ahead of the system by what it was moved, on the wall and on its monotonic clock', () => {
  vi.spyOn(Date, 'now').mockReturnValue(1_000_000)
  vi.spyOn(performance, 'now').mockReturnValue(5000)
  const clock = Clock.createMovable()
  expect([clock.now(), clock.monotonicMs(), clock.aheadMs()]).toEqual([1_000_000, 5000, 0])
  clock.moveAhead(7000)
  expect([clock.now(), clock.monotonicMs(), clock.aheadMs()]).toEqual([1_007_000, 12_000, 7000])
  vi.restoreAllMocks()
})

it('a movable clock refuses to go back, and stays where it was', () => {
  const clock = Clock.createMovable()
  clock.moveAhead(7000)
  expect(() => clock.moveAhead(6999)).toThrow(RangeError)
  expect(clock.aheadMs()).toBe(7000)
})
