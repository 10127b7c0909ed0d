import type { Window, WindowState } from '@agio/store'

/**
 * Formats the limits of a key as the header `RateLimit-Policy`.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function formatPolicy(windows: readonly Window[]): string {
  return windows.map(({ name, limit, lengthMs }) => `"${name}";q=${limit};w=${toSeconds(lengthMs)}`).join(', ')
}

/** Formats what is left of the limits as the header `RateLimit`. */
export function formatRateLimit(windows: readonly Window[], states: readonly WindowState[]): string {
  let text = ''
  for (const [index, { name, limit, lengthMs }] of windows.entries()) {
    const { used, endsInMs } = states[index] ?? { used: 0, endsInMs: lengthMs }
    // V8 keeps the texts of numbers in the old generation, which those of all requests would fill. It keeps none of a bigint.
    const left = BigInt(Math.max(0, Math.floor(limit - used)))
    text += `${index > 0 ? ', ' : ''}"${name}";r=${left};t=${toSeconds(endsInMs)}`
  }
  return text
}

function toSeconds(ms: number): number {
  return Math.ceil(Math.round(ms) / 1000)
}
