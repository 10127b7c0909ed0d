import type { RateWindow } from '../../service/parseRateLimit.ts'

/**
 * Returns what is left of a window some time after the service has reported it. A window begins with a call, so after its end it is
 * full, and stays so until the next call.
 */
export function toWindowState({ limit, remaining, resetSeconds }: RateWindow, elapsedMs: number): WindowState {
  const secondsLeft = Math.ceil(resetSeconds - elapsedMs / 1000)
  if (secondsLeft <= 0 || remaining >= limit) return { remaining: secondsLeft <= 0 ? limit : remaining }
  return { remaining, resetsInSeconds: secondsLeft }
}

type WindowState = {
  readonly remaining: number
  /** Undefined while nothing of the window is used. */
  readonly resetsInSeconds?: number
}
