import { expect, it } from 'vitest'
import { findPriceChange } from './findPriceChange.ts'

const tokens = { tokenIn: { symbol: 'tAUD' }, tokenOut: { symbol: 'tUSD' } }
const exactIn = { ...tokens, mode: 'exact-in', amountIn: '100', amountOut: '65.08', minAmountOut: '65.05' } as const
const exactOut = { ...tokens, mode: 'exact-out', amountIn: '153.6', amountOut: '100', maxAmountIn: '153.7' } as const

it.each(['65.08', '65.050000', '65.06', '70'])('an output of %s is better or within the limit', (amountOut) => {
  expect(findPriceChange(exactIn, { ...exactIn, amountOut })).toBeUndefined()
})

it('an output below the accepted minimum is a price change, whether or not it is within its own minimum', () => {
  const renewed = { ...exactIn, amountOut: '65.049999', minAmountOut: '65.01' }
  const change = { mode: 'exact-in', symbol: 'tUSD', from: '65.08', to: '65.049999' }
  expect(findPriceChange(exactIn, renewed)).toEqual(change)
})

it.each(['153.6', '153.7', '150'])('an input of %s is better or within the limit', (amountIn) => {
  expect(findPriceChange(exactOut, { ...exactOut, amountIn })).toBeUndefined()
})

it('an input above the accepted maximum is a change of the price', () => {
  const change = { mode: 'exact-out', symbol: 'tAUD', from: '153.6', to: '153.700001' }
  expect(findPriceChange(exactOut, { ...exactOut, amountIn: '153.700001', maxAmountIn: '153.9' })).toEqual(change)
})

it('without a limit the amount itself is the limit', () => {
  const { minAmountOut: _, ...accepted } = exactIn
  expect(findPriceChange(accepted, { ...accepted, amountOut: '65.079' })?.to).toBe('65.079')
})
