import { expect, it } from 'vitest'
import { parseAmountText } from './parseAmountText.ts'

const token = { symbol: 'tAUD', decimals: 6 }

it.each([
  [' 1 250.50 ', '1250.50'],
  ['1\u00A0250', '1250'],
  ['007', '7'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['12345678901234567890.123456', '12345678901234567890.123456'],
])('%j is the amount %s', (text, amount) => {
  expect(parseAmountText(text, token)).toEqual({ kind: 'amount', amount })
})

it.each([
  ['1,05', '.', '1.05', '1.05'],
  ['1.5', ',', '1.5', '1.5'],
  ['1,000,000', '.', '1000000', '1,000,000'],
  ['1,065.08744', '.', '1065.08744', '1,065.08744'],
  ['1.065,08744', '.', '1065.08744', '1,065.08744'],
  ['12,34,567.8', ',', '1234567.8', '1,234,567.8'],
])('%s with the decimal mark %s is the amount %s, and the field says so', (text, mark, amount, shown) => {
  expect(parseAmountText(text, token, mark)).toEqual({ kind: 'amount', amount, hint: `Read as ${shown} tAUD` })
})

it.each([
  ['1,000', ',', '1.000'],
  ["1'250.5", '.', '1250.5'],
])('%s with the decimal mark %s is %s', (text, mark, amount) => {
  expect(parseAmountText(text, token, mark)).toEqual({ kind: 'amount', amount })
})

it.each([
  ['1,000', '.', 'Write 1000 or 1.000: the comma may separate thousands or decimals.'],
  ['1.000', ',', 'Write 1000 or 1,000: the point may separate thousands or decimals.'],
])('%s with the decimal mark %s is refused, because it may separate thousands', (text, mark, reason) => {
  expect(parseAmountText(text, token, mark)).toEqual({ kind: 'invalid', reason })
})

it.each(['', ' ', '.', ',', '0', '00', '0.000'])('%j counts as empty', (text) => {
  expect(parseAmountText(text, token)).toEqual({ kind: 'empty' })
})

it.each(['1e3', '-5', '+5', '0x10', '1.0.0', '1,00,00', '1,000.000,5', '1,0.5', '٣', 'ten', '1.5tAUD', '1'.repeat(81)])(
  '%j is refused',
  (text) => {
    expect(parseAmountText(text, token).kind).toBe('invalid')
  },
)

it.each([
  ['1.0000001', 6, 'tAUD has at most 6 decimals.'],
  ['1.05', 1, 'tAUD has at most 1 decimal.'],
  ['1.5', 0, 'tAUD has no decimals.'],
])('%s of a token with %d decimals is refused rather than cut', (text, decimals, reason) => {
  expect(parseAmountText(text, { ...token, decimals })).toEqual({ kind: 'invalid', reason })
})
