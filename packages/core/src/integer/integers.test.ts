import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ceilDiv } from './integers.ts'

it.each([
  [0n, 1n, 0n],
  [0n, 7n, 0n],
  [1n, 7n, 1n],
  [7n, 7n, 1n],
  [8n, 7n, 2n],
  [9_999n, 10_000n, 1n],
  [2n ** 256n, 2n, 2n ** 255n],
])('%d divided by %d and rounded up is %d', (numerator, denominator, quotient) => {
  expect(ceilDiv(numerator, denominator)).toBe(quotient)
})

it('a quotient rounded up is the smallest integer whose product with the denominator reaches the numerator', () => {
  const numerators = fc.bigInt({ min: 0n, max: 2n ** 512n })
  const denominators = fc.bigInt({ min: 1n, max: 2n ** 256n })
  fc.assert(
    fc.property(numerators, denominators, (numerator, denominator) => {
      const quotient = ceilDiv(numerator, denominator)
      expect(quotient * denominator).toBeGreaterThanOrEqual(numerator)
      expect((quotient - 1n) * denominator).toBeLessThan(numerator)
    }),
  )
})
