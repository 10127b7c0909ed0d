import { expect, it } from 'vitest'
import { judgeValidity } from './validity.ts'

const validUntil = 60_000
const here = { validUntil, isActive: true, isConverting: false }

it.each([
  [49_999, 'valid'],
  [50_000, 'renew'],
  [59_999, 'renew'],
  [60_000, 'expired'],
])('%d ms after its request a quote of an active user is %s', (now, validity) => {
  expect(judgeValidity({ ...here, now })).toBe(validity)
})

it.each([true, false])(
  'a quote is not renewed while a conversion runs, whether or not the user is active: %s',
  (isActive) => {
    const converting = { ...here, isActive, isConverting: true }
    expect(judgeValidity({ ...converting, now: 55_000 })).toBe('valid')
    expect(judgeValidity({ ...converting, now: 60_000 })).toBe('expired')
  },
)

it('a quote counts as expired while the user is away, because it may be outdated', () => {
  expect(judgeValidity({ ...here, isActive: false, now: 0 })).toBe('expired')
})
