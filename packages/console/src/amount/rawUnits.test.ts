import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromRaw, toRaw } from './rawUnits.ts'

it.each([
  ['1.5', 6, 1_500_000n],
  ['-0.325600', 6, -325_600n],
  ['12.340000', 2, 1234n],
  ['7', 0, 7n],
  ['0.000000000000000001', 18, 1n],
])('%s with %i decimals has %d raw units', (amount, decimals, raw) => {
  expect(toRaw(amount, decimals)).toBe(raw)
})

it.each([
  ['1.234', 2],
  ['', 6],
  ['1,000', 6],
  ['.5', 6],
  ['1.', 6],
  ['1e3', 6],
])('error: %s is not an amount with %i decimals', (amount, decimals) => {
  expect(() => toRaw(amount, decimals)).toThrow(RangeError)
})

it('a formatted amount is parsed as the same raw units, with all digits of the token', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.integer({ min: 0, max: 24 }),
      (raw, decimals) => {
        const amount = fromRaw(raw, decimals)
        expect(toRaw(amount, decimals)).toBe(raw)
        expect(amount.split('.')[1]?.length ?? 0).toBe(decimals)
      },
    ),
  )
})
