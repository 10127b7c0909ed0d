import { expect, it } from 'vitest'
import { parseAmountText } from './parseAmountText.ts'

const token = { symbol: 'tAUD', decimals: 6 }

it.each([
  ['100', '100'],
  [' 1 250.50 ', '1250.50'],
  ['1\u00A0250', '1250'],
  ['007', '7'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['0.000001', '0.000001'],
  ['12345678901234567890.123456', '12345678901234567890.123456'],
])('%j is the amount %s', (text, amount) => {
  expect(parseAmountText(text, token)).toEqual({ kind: 'amount', amount })
})

it('a comma is read as a point, and the field says so', () => {
  expect(parseAmountText('1,05', token)).toEqual({ kind: 'amount', amount: '1.05', hint: 'Read as 1.05 tAUD' })
})

it('a comma before exactly three digits is refused, because it may separate thousands', () => {
  const reason = 'Write 1000 or 1.000: the comma may separate thousands or decimals.'
  expect(parseAmountText('1,000', token)).toEqual({ kind: 'invalid', reason })
  expect(parseAmountText('0,500', token)).toMatchObject({ reason: expect.stringContaining('Write 500 or 0.500:') })
  expect(parseAmountText('1,0000', token)).toMatchObject({ kind: 'amount', amount: '1.0000' })
})

it.each(['', ' ', '.', ',', '0', '00', '0.000'])('%j counts as empty', (text) => {
  expect(parseAmountText(text, token)).toEqual({ kind: 'empty' })
})

it.each(['1e3', '-5', '+5', '0x10', '1.0.0', '1,000,000', '1,000.50', '٣', 'ten', '1.5tAUD', '1'.repeat(81)])(
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
