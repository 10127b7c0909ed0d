import { expect, it } from 'vitest'
import { judgeValidity } from './validity.ts'

const validUntil = 60_000
const here = { validUntil, isActive: true, isConverting: false }

it.each([
  [0, 'valid'],
  [49_999, 'valid'],
  [50_000, 'renew'],
  [59_999, 'renew'],
  [60_000, 'expired'],
  [90_000, 'expired'],
])('%d ms after its request a quote of an active user is %s', (now, validity) => {
  expect(judgeValidity({ ...here, now })).toBe(validity)
})

it.each([
  ['the user is away', { isActive: false }],
  ['a conversion runs', { isConverting: true }],
])('a quote is not renewed while %s', (_, situation) => {
  expect(judgeValidity({ ...here, ...situation, now: 55_000 })).toBe('valid')
  expect(judgeValidity({ ...here, ...situation, now: 60_000 })).toBe('expired')
})
