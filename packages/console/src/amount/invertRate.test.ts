import { expect, it } from 'vitest'
import { invertRate } from './invertRate.ts'

it.each([
  ['0.5', 2, '2.00'],
  ['0.6512', 6, '1.535626'],
  ['3', 4, '0.3333'],
  ['12345678901234567890.5', 24, '0.000000000000000000081000'],
  ['4', 0, '0'],
])('one divided by %s with %d digits is %s', (rate, digits, inverse) => {
  expect(invertRate(rate, digits)).toBe(inverse)
})

it('a rate of zero has no inverse', () => {
  expect(invertRate('0.000', 6)).toBeUndefined()
})
