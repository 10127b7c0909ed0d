import type { AgioError } from '../errors/AgioError.ts'
import { clientError } from '../errors/clientError.ts'

/** Returns the error for a response that differs from what the user accepted. */
export function mismatch(
  field: string,
  { expected, actual }: { readonly expected: string; readonly actual: string },
): AgioError<'convert/mismatch'> {
  const message = `Cannot sign what the service built: ${field} is ${actual}, not ${expected}`
  return clientError('convert/mismatch', message, { field, expected, actual })
}

/** @throws `convert/mismatch` unless two texts are equal, in either letter case of hex */
export function assertEqual(field: string, expected: string, actual: unknown): void {
  const isHex = expected.startsWith('0x')
  if (typeof actual !== 'string' && typeof actual !== 'number')
    throw mismatch(field, { expected, actual: show(actual) })
  const text = String(actual)
  if (isHex ? text.toLowerCase() === expected.toLowerCase() : text === expected) return
  throw mismatch(field, { expected, actual: show(text) })
}

const maxLength = 200

/** Formats a value of a response for an error. */
export function show(value: unknown): string {
  if (value === undefined) return 'missing'
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxLength)
}
