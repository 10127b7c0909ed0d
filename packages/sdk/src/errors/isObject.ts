/** Whether a value of a response, or of a caller without types, has fields that can be read. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
