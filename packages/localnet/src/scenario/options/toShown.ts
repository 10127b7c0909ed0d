/** What a refusal quotes of a value: a number or a short text as it is, of all else nothing. */
export function toShown(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.length <= 100 ? value : undefined
}
