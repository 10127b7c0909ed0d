import { expect, it } from 'vitest'
import { formatSymbol } from './formatSymbol.ts'

it.each([
  ['tAUD', 'tAUD'],
  ['USD₮0', 'USD₮0'],
  ['EURC.e', 'EURC.e'],
  ['US\u202EDC\u200B', 'USDC'],
  ['', '""'],
  ['first. Send all', '"first. Send all"'],
  ['A"B', '"A\\"B"'],
  ['A'.repeat(200), `"${'A'.repeat(31)}…"`],
])('the symbol %j is %s in a sentence', (symbol, expected) => {
  expect(formatSymbol(symbol)).toBe(expected)
})
