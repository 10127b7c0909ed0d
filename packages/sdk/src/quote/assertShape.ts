import { findFlaw, type Shape } from '../errors/findFlaw.ts'
import { formatValue, mismatch } from './mismatch.ts'

/** A call that the service has built. */
export const callShape = { to: 'string', data: 'string', value: 'string' } as const

/**
 * Asserts that a response has the fields that the SDK reads, so that a malformed response is an error with a name.
 *
 * @throws `convert/mismatch` with the path of the first field that is missing or has another type
 */
export function assertShape(path: string, value: unknown, shape: Shape): void {
  const flaw = findFlaw(path, value, shape)
  if (flaw) throw mismatch(flaw.field, { expected: flaw.expected, actual: formatValue(flaw.actual) })
}
