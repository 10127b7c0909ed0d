import { expect, it } from 'vitest'
import { trimZeros } from './trimZeros.ts'

it.each([
  ['0.651200', '0.6512'],
  ['100', '100'],
  ['100.000', '100'],
  ['0.000', '0'],
  ['1.05', '1.05'],
])('%s without zeros at its end is %s', (amount, trimmed) => {
  expect(trimZeros(amount)).toBe(trimmed)
})
