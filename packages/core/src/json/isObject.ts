/** Returns whether a value, such as parsed JSON, has fields that can be read: an object or an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
