import { clientError, type AgioError } from '../errors/AgioError.ts'
import * as Decimal from './Decimal.ts'

/** Returns the error for a response that differs from what the user accepted. */
export function mismatch(
  field: string,
  { expected, actual }: { readonly expected: string; readonly actual: string },
): AgioError<'convert/mismatch'> {
  const message = `Cannot use what the service returned: ${field} is ${actual}, not ${expected}`
  return clientError('convert/mismatch', message, { field, expected, actual })
}

/**
 * Asserts that two texts are equal. Hex texts may differ in letter case.
 *
 * @throws `convert/mismatch` with the field
 */
export function assertEqual(field: string, expected: string, actual: unknown): void {
  const isHex = expected.startsWith('0x')
  if (typeof actual !== 'string' && typeof actual !== 'number')
    throw mismatch(field, { expected, actual: formatValue(actual) })
  const text = String(actual)
  if (isHex ? text.toLowerCase() === expected.toLowerCase() : text === expected) return
  throw mismatch(field, { expected, actual: formatValue(text) })
}

const maxLength = 200

/** Formats a value of a response for an error. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'missing'
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxLength)
}

/**
 * Parses an amount in whole tokens into raw units.
 *
 * @throws `convert/mismatch` with the field, for a value that is not an amount of the token
 */
export function parseAmount(text: unknown, decimals: number, field: string): bigint {
  const raw = Decimal.parse(text, decimals)
  if (raw !== undefined) return raw
  throw mismatch(field, { expected: `an amount with ${decimals} decimals`, actual: formatValue(text) })
}
