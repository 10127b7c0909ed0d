import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startTimeLimit } from './startTimeLimit.ts'

let nowMs = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Moves the clock, and then fires the timers that are due in four seconds. */
function pass(ms: number): void {
  nowMs += ms
  vi.advanceTimersByTime(4000)
}

it('a time limit ends once, up to a second late', () => {
  const onTimeout = vi.fn<() => void>()
  startTimeLimit(4000, onTimeout)
  pass(5000)
  pass(4000)
  expect(onTimeout).toHaveBeenCalledOnce()
})

it('a time limit starts again if the process stood still for more than a second', () => {
  const onTimeout = vi.fn<() => void>()
  startTimeLimit(4000, onTimeout)
  pass(5001)
  expect(onTimeout).not.toHaveBeenCalled()
  pass(4000)
  expect(onTimeout).toHaveBeenCalledOnce()
})

it('a time limit that is cancelled never ends, also after it has started again', () => {
  const onTimeout = vi.fn<() => void>()
  const [cancel, cancelLater] = [startTimeLimit(4000, onTimeout), startTimeLimit(4000, onTimeout)]
  cancel()
  pass(6000)
  cancelLater()
  pass(4000)
  expect(onTimeout).not.toHaveBeenCalled()
})
