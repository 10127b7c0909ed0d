import { expect, it } from 'vitest'
import { toPosition } from './toPosition.ts'

it.each([
  ['0', 0],
  ['-0.325600', -0.3256],
  ['767813.267813', 767_813.267813],
  ['0.000000000000000001', 1e-18],
])('the amount %s is placed at %d', (amount, position) => {
  expect(toPosition(amount)).toBe(position)
})

it.each(['', ' ', 'tAUD', '1,000', 'Infinity'])('error: "%s" is not an amount', (text) => {
  expect(() => toPosition(text)).toThrow(RangeError)
})
