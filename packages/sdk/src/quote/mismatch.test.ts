import { expect, it } from 'vitest'
import { parseAmount } from './mismatch.ts'

it.each([
  ['1', 6, 1_000_000n],
  ['1000.5', 6, 1_000_500_000n],
  ['0.000001', 6, 1n],
  ['0', 18, 0n],
  ['7', 0, 7n],
])('parseAmount returns the raw units of %s with %i decimals', (text, decimals, raw) =>
  expect(parseAmount(text, decimals, 'amountIn')).toBe(raw),
)

it('error: convert/mismatch with the field for a value that is not an amount of the token', () => {
  for (const text of ['', '-1', '1e3', '.5', '5.', ' 1', '0x10', '1.0000001', '9'.repeat(81), undefined, 1, null]) {
    const details = { field: 'amountIn', expected: 'an amount with 6 decimals' }
    expect(() => parseAmount(text, 6, 'amountIn')).toThrow(
      expect.objectContaining({ code: 'convert/mismatch', details: expect.objectContaining(details) }),
    )
  }
})
