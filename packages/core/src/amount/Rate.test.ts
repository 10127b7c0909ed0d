import { expect, it } from 'vitest'
import * as Rate from './Rate.ts'

const of = (raw: bigint, decimals = 6) => ({ raw, decimals })

it('a rate has eight fractional digits', () => {
  expect(Rate.format(of(1_000_000_000n), of(650_874_400n))).toBe('0.65087440')
  expect(Rate.format(of(650_874_400n), of(1_000_000_000n))).toBe('1.53639473')
})

it('a small rate has more fractional digits, so that eight digits are significant', () => {
  expect(Rate.format(of(3_000_000n), of(100n))).toBe('0.000033333333')
})

it('a rate compares whole tokens, for any decimals of the tokens', () => {
  expect(Rate.format(of(10n ** 18n, 18), of(150n, 2))).toBe('1.50000000')
})

it('the rate of a zero output is zero', () => {
  expect(Rate.format(of(1n), of(0n))).toBe('0.00000000')
})
