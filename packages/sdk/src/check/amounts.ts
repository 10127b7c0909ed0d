import { parseDecimal } from '../quote/parseDecimal.ts'
import { mismatch, show } from './mismatch.ts'

/**
 * Parses an amount in whole tokens into raw units.
 *
 * @throws `convert/mismatch` with the field, for a value that is not an amount of the token
 */
export function parseAmount(text: unknown, decimals: number, field: string): bigint {
  const raw = parseDecimal(text, decimals)
  if (raw !== undefined) return raw
  throw mismatch(field, { expected: `an amount with ${decimals} decimals`, actual: show(text) })
}

/** Returns an amount in raw units as whole tokens, with every digit. */
export function formatAmount(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
