import type { RateWindow } from '../../service/parseRateLimit.ts'

/**
 * Returns the state of a window some time after the service has reported it. A window starts with a call, so it is full
 * after its end until the next call.
 */
export function toWindowState({ limit, remaining, resetSeconds }: RateWindow, elapsedMs: number): WindowState {
  const secondsLeft = Math.ceil(resetSeconds - elapsedMs / 1000)
  if (secondsLeft <= 0 || remaining >= limit) return { remaining: secondsLeft <= 0 ? limit : remaining }
  return { remaining, resetsInSeconds: secondsLeft }
}

type WindowState = {
  readonly remaining: number
  /** Undefined while the window is unused. */
  readonly resetsInSeconds?: number
}
