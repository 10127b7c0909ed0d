import { expect, it } from 'vitest'
import { toConversionTitle } from './toConversionTitle.ts'
import { quote } from './testSteps.ts'

it('a conversion is named by the amount that the user entered', () => {
  expect(toConversionTitle({ ...quote, amountIn: '1000.500000' })).toBe('1,000.5 tAUD → tUSD')
  expect(toConversionTitle({ ...quote, mode: 'exact-out', amountOut: '64.000000' })).toBe('tAUD → 64 tUSD')
})
