import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NodeUse } from './NodeUse.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('reads at the same time count as requests, and their time once', () => {
  const use = new NodeUse()
  vi.advanceTimersByTime(5)
  use.startRead()
  vi.advanceTimersByTime(10)
  use.startRead()
  vi.advanceTimersByTime(20)
  use.endRead()
  use.endRead()
  vi.advanceTimersByTime(40)
  expect(use.measure()).toEqual({ nodeRequests: 2, queueMs: 0, nodeMs: 30 })
})

it('a wait for a slot counts only while no read is in flight', () => {
  const use = new NodeUse()
  use.startRead()
  use.startWaiting()
  vi.advanceTimersByTime(3)
  use.endRead()
  vi.advanceTimersByTime(4)
  use.endWaiting()
  expect(use.measure()).toEqual({ nodeRequests: 1, queueMs: 4, nodeMs: 3 })
})

it('a read in flight counts until the time of the measurement', () => {
  const use = new NodeUse()
  use.startRead()
  vi.advanceTimersByTime(7)
  expect(use.measure()).toEqual({ nodeRequests: 1, queueMs: 0, nodeMs: 7 })
})
