import type { Window, WindowState } from '@agio/store'

/**
 * Formats the limits of a key as the header `RateLimit-Policy`.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function formatPolicy(windows: readonly Window[]): string {
  return windows.map(({ name, limit, lengthMs }) => `"${name}";q=${limit};w=${toSeconds(lengthMs)}`).join(', ')
}

/** Formats the remaining calls of the limits as the header `RateLimit`. */
export function formatRateLimit(windows: readonly Window[], states: readonly WindowState[]): string {
  let text = ''
  for (const [index, { name, limit, lengthMs }] of windows.entries()) {
    const { used, endsInMs } = states[index] ?? { used: 0, endsInMs: lengthMs }
    // V8 caches the texts of numbers in the old generation, and the numbers of all requests would fill it. V8 does not
    // cache the text of a bigint.
    const left = BigInt(Math.max(0, Math.floor(limit - used)))
    text += `${index > 0 ? ', ' : ''}"${name}";r=${left};t=${toSeconds(endsInMs)}`
  }
  return text
}

function toSeconds(ms: number): number {
  return Math.ceil(Math.round(ms) / 1000)
}
