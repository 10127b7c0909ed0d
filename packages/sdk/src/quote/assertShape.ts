import { isObject } from '../errors/isObject.ts'
import { formatValue, mismatch } from './mismatch.ts'

/** The fields of a response that the SDK reads. A list has one shape for all of its entries. */
export type Shape = 'string' | 'number' | readonly [Shape] | { readonly [Field in string]: Shape }

/** A call that the service has built. */
export const callShape = { to: 'string', data: 'string', value: 'string' } as const

/**
 * Asserts that a response has the fields that the SDK reads, so that a malformed response is an error with a name.
 *
 * @throws `convert/mismatch` with the path of the first field that is missing or has another type
 */
export function assertShape(path: string, value: unknown, shape: Shape): void {
  if (typeof shape === 'string') {
    if (typeof value !== shape) throw malformed(path, `a ${shape}`, value)
    return
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) throw malformed(path, 'a list', value)
    for (const [index, entry] of value.entries()) assertShape(`${path}.${index}`, entry, shape[0])
    return
  }
  if (!isObject(value)) throw malformed(path, 'an object', value)
  for (const [name, field] of Object.entries(shape)) assertShape(`${path}.${name}`, value[name], field)
}

function isList(shape: Exclude<Shape, string>): shape is readonly [Shape] {
  return Array.isArray(shape)
}

function malformed(path: string, expected: string, value: unknown) {
  return mismatch(path, { expected, actual: formatValue(value) })
}
