import type { Window, WindowState } from '@agio/store'

/**
 * Writes what a key may do, as the field `RateLimit-Policy`.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function formatPolicy(windows: readonly Window[]): string {
  return windows.map(({ name, limit, lengthMs }) => `"${name}";q=${limit};w=${toSeconds(lengthMs)}`).join(', ')
}

/** Writes what a key has left of it, as the field `RateLimit`. */
export function formatRateLimit(windows: readonly Window[], states: readonly WindowState[]): string {
  let text = ''
  for (const [index, { name, limit, lengthMs }] of windows.entries()) {
    const { used, endsInMs } = states[index] ?? { used: 0, endsInMs: lengthMs }
    text += `${index > 0 ? ', ' : ''}"${name}";r=${Math.max(0, limit - used)};t=${toSeconds(endsInMs)}`
  }
  return text
}

function toSeconds(ms: number): number {
  return Math.ceil(Math.round(ms) / 1000)
}
