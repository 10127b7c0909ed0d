import { isObject } from './isObject.ts'

/**
 * The fields of a response that the SDK reads. A field whose name ends with `?` may be absent. A list has one shape for all
 * of its entries.
 */
export type Shape = Kind | readonly [Shape] | { readonly [Field in string]: Shape }

/** A whole number is a safe integer of at least 0. */
type Kind = 'string' | 'number' | 'boolean' | 'whole number' | 'code of the service'

/** The first field of a response that is missing or has another type. */
export type Flaw = { readonly field: string; readonly expected: string; readonly actual: unknown }

/** Returns the first flaw of a response, with its path, or undefined if the response has all fields of the shape. */
export function findFlaw(field: string, value: unknown, shape: Shape): Flaw | undefined {
  if (typeof shape === 'string')
    return isOf(shape, value) ? undefined : { field, expected: `a ${shape}`, actual: value }
  const isList = Array.isArray(shape)
  if (isList ? !Array.isArray(value) : !isObject(value))
    return { field, expected: isList ? 'a list' : 'an object', actual: value }
  for (const [name, member] of Object.entries(isList ? (value as object) : shape)) {
    const own = isList ? name : name.replace('?', '')
    const found = (value as Readonly<Record<string, unknown>>)[own]
    if (own !== name && found === undefined) continue
    const flaw = findFlaw(`${field}.${own}`, found, (isList ? shape[0] : member) as Shape)
    if (flaw) return flaw
  }
  return undefined
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'whole number') return Number.isSafeInteger(value) && (value as number) >= 0
  if (kind === 'code of the service') return typeof value === 'string' && value.startsWith('svc/')
  return typeof value === kind
}
