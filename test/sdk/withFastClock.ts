import { vi } from 'vitest'

/** Runs a function while `Date.now` is 60 times as fast. Timers keep their durations. */
export async function withFastClock<Result>(run: () => Promise<Result>): Promise<Result> {
  const [startedAtMs, uptimeMs] = [Date.now(), performance.now()]
  using _clock = vi.spyOn(Date, 'now').mockImplementation(() => startedAtMs + 60 * (performance.now() - uptimeMs))
  return await run()
}
