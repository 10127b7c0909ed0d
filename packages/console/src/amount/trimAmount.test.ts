import { expect, it } from 'vitest'
import { trimAmount } from './trimAmount.ts'

it.each([
  ['100.000000', '100'],
  ['64.930000', '64.93'],
  ['0.000001', '0.000001'],
  ['0.0', '0'],
  ['100', '100'],
  ['1200', '1200'],
])('%s is %s without the zeros at its end', (amount, trimmed) => {
  expect(trimAmount(amount)).toBe(trimmed)
})
