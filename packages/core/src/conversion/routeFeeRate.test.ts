import { expect, it } from 'vitest'
import { routeFeeRate } from './routeFeeRate.ts'

const fivePips = { epsilon: 500_000_000_000_000n }
const percent = { epsilon: 10_000_000_000_000_000n }

it('the fee rate of a route of one pool is the fee of the pool', () => {
  expect(routeFeeRate([fivePips])).toBe('0.05%')
  expect(routeFeeRate([percent])).toBe('1.00%')
  expect(routeFeeRate([{ epsilon: 0n }])).toBe('0.00%')
})

it('the fee rate of a route of two pools is exact: the second fee is taken of what the first leaves', () => {
  expect(routeFeeRate([fivePips, fivePips])).toBe('0.099975%')
  expect(routeFeeRate([percent, fivePips])).toBe('1.0495%')
  expect(routeFeeRate([fivePips, { epsilon: 0n }])).toBe('0.05%')
  expect(routeFeeRate([{ epsilon: 1n }, { epsilon: 1n }])).toBe('0.0000000000000001999999999999999999%')
})
