import { expect, it } from 'vitest'
import { parseDecimal } from './parseDecimal.ts'

it.each([
  ['1', 6, 1_000_000n],
  ['1000.5', 6, 1_000_500_000n],
  ['007.50', 2, 750n],
  ['0.000001', 6, 1n],
  ['0', 18, 0n],
  ['7', 0, 7n],
  ['9'.repeat(80), 0, 10n ** 80n - 1n],
  [`0.${'0'.repeat(79)}1`, 80, 1n],
])('%s with %i decimals is %d', (text, decimals, raw) => {
  expect(parseDecimal(text, decimals)).toBe(raw)
})

it.each(['', '-1', '+1', '1e3', '.5', '5.', ' 1', '1 ', '1\n', '1,5', '0x10', '1.0000001', '9'.repeat(81), '٣'])(
  'the text "%s" is not a decimal with 6 decimals',
  (text) => {
    expect(parseDecimal(text, 6)).toBeUndefined()
  },
)

it('a value that is not a string is not a decimal', () => {
  expect([undefined, null, 1, 1n, ['1']].filter((value) => parseDecimal(value, 6) !== undefined)).toEqual([])
})
