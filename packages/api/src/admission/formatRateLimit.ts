import type { Window, WindowState } from '@agio/store'

/**
 * Writes what a key may do and what it has left of it, as the fields `RateLimit-Policy` and `RateLimit`.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function formatRateLimit(
  windows: readonly Window[],
  states: readonly WindowState[],
): { readonly policy: string; readonly state: string } {
  return {
    policy: windows.map(({ name, limit, lengthMs }) => `"${name}";q=${limit};w=${toSeconds(lengthMs)}`).join(', '),
    state: windows
      .map(({ name, limit, lengthMs }, index) => {
        const { used, endsInMs } = states[index] ?? { used: 0, endsInMs: lengthMs }
        return `"${name}";r=${Math.max(0, limit - used)};t=${toSeconds(endsInMs)}`
      })
      .join(', '),
  }
}

function toSeconds(ms: number): number {
  return Math.ceil(Math.round(ms) / 1000)
}
