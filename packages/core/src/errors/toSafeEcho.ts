const maxLength = 100

/**
 * Returns a value that an error response may quote: well-formed text of at most 100 characters, or another scalar
 * unchanged. Returns undefined for other values.
 */
export function toSafeEcho(value: string): string
/** Returns undefined for an object or an array. */
export function toSafeEcho(value: unknown): unknown
export function toSafeEcho(value: unknown): unknown {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? undefined : value
  const echoed = value.length > maxLength ? `${value.slice(0, maxLength)}…` : value
  return echoed.toWellFormed()
}
