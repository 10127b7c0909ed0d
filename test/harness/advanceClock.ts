import { vi } from 'vitest'

const readClock = performance.now.bind(performance)
let aheadMs = 0

/**
 * Moves the monotonic clock of this process forward, for all services in it, until `vi.restoreAllMocks()`. Call that after the
 * services have stopped: a monotonic clock never goes back.
 */
export function advanceClock(milliseconds: number): void {
  aheadMs += milliseconds
  const offsetMs = aheadMs
  vi.spyOn(performance, 'now').mockImplementation(() => readClock() + offsetMs)
}
