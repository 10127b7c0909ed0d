import { expect, it } from 'vitest'
import * as Fee from './Fee.ts'

it.each([
  [500_000_000_000_000n, '0.05%'],
  [10_000_000_000_000_000n, '1.00%'],
  [1_250_000_000_000_000n, '0.125%'],
  [0n, '0.00%'],
])('the fee %i is formatted as %s', (epsilon, text) => {
  expect(Fee.format(epsilon)).toBe(text)
})

const fivePips = { epsilon: 500_000_000_000_000n }
const percent = { epsilon: 10_000_000_000_000_000n }

it('the fee rate of a route of two pools is exact: the second fee is taken of what the first leaves', () => {
  expect(Fee.formatRoute([fivePips, fivePips])).toBe('0.099975%')
  expect(Fee.formatRoute([percent, fivePips])).toBe('1.0495%')
  expect(Fee.formatRoute([fivePips, { epsilon: 0n }])).toBe('0.05%')
  expect(Fee.formatRoute([{ epsilon: 1n }, { epsilon: 1n }])).toBe('0.0000000000000001999999999999999999%')
})
