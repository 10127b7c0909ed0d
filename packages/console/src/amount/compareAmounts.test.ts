import { expect, it } from 'vitest'
import { compareAmounts } from './compareAmounts.ts'

it.each([
  ['1', '1.000', 0],
  ['0.5', '0.50', 0],
  ['9', '10', -1],
  ['65.087440', '65.08744', 0],
  ['65.087441', '65.08744', 1],
  ['0.000000000000000001', '0', 1],
  // As numbers, both would be equal.
  ['9007199254740993', '9007199254740992', 1],
])('%s compared with %s is %d', (one, other, order) => {
  expect(compareAmounts(one, other)).toBe(order)
})
