const maxShown = 100

/**
 * What a refusal shows of what it refuses: the beginning of a long text, nothing of what is no scalar, and always text that
 * every client can read. So it never sends a large body back.
 */
export function toShown(value: string): string
export function toShown(value: unknown): unknown
export function toShown(value: unknown): unknown {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? undefined : value
  const shown = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value
  return shown.toWellFormed()
}
