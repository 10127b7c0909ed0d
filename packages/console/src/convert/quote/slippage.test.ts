import { expect, it } from 'vitest'
import { findSlippageWarning, formatPercent, parsePercent } from './slippage.ts'

it.each([
  [5, '0.05'],
  [0, '0'],
  [50, '0.5'],
  [100, '1'],
  [125, '1.25'],
  [5000, '50'],
])('%d basis points are %s percent, and back', (bps, percent) => {
  expect(formatPercent(bps)).toBe(percent)
  expect(parsePercent(percent)).toEqual({ bps })
})

it.each([
  ['0,25', 25],
  [' .3 % ', 30],
  ['007', 700],
])('%j is read as %d basis points', (text, bps) => {
  expect(parsePercent(text)).toEqual({ bps })
})

it.each(['', '.', '0.005', '50.01', '-1', '1e1', 'a', '100'])('%j is refused', (text) => {
  expect(parsePercent(text)).toHaveProperty('error')
})

it('warns of no tolerance and of a high one', () => {
  expect([0, 5, 100, 101].map((bps) => findSlippageWarning(bps) !== undefined)).toEqual([true, false, false, true])
})
