import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Amount from './Amount.ts'

describe('parse', () => {
  it.each([
    ['1', 6, 1_000_000n],
    ['1000.5', 6, 1_000_500_000n],
    ['0.000001', 6, 1n],
    ['00012.10', 2, 1210n],
    ['7', 0, 7n],
  ])('Amount.parse returns the raw units of %s at %i decimals', (text, decimals, raw) =>
    expect(Amount.parse(text, decimals)).toBe(raw),
  )

  it.each(['', '-1', '1e3', '0.000', '0.0000001', '9'.repeat(80), '1'.padStart(81, '0')])(
    'error: Amount.parse throws svc/invalid-request for %j',
    (text) => {
      const refused = { code: 'svc/invalid-request', details: expect.objectContaining({ field: 'amountIn' }) }
      expect(() => Amount.parse(text, 6, 'amountIn')).toThrow(expect.objectContaining(refused))
    },
  )
})

describe('format', () => {
  it('Amount.format writes every digit of the token', () => {
    expect(Amount.format(650_874_400n, 6)).toBe('650.874400')
    expect(Amount.format(1n, 18)).toBe('0.000000000000000001')
    expect(Amount.format(7n, 0)).toBe('7')
  })

  it('Amount.parse inverts Amount.format', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 200n }), fc.constantFrom(0, 2, 6, 18), (raw, decimals) => {
        expect(Amount.parse(Amount.format(raw, decimals), decimals)).toBe(raw)
      }),
    )
  })

  it('Amount.formatFixed cuts digits off and never rounds up', () => {
    expect(Amount.formatFixed(1_999_999_999_999_999_999n, 18, 6)).toBe('1.999999')
    expect(Amount.formatFixed(199n, 2, 6)).toBe('1.990000')
  })

  it('Amount.formatSigned writes the sign of a negative amount, and none of zero', () => {
    expect(Amount.formatSigned(-1n, 6)).toBe('-0.000001')
    expect(Amount.formatSigned(-1_500_000n, 6)).toBe('-1.500000')
    expect(Amount.formatSigned(0n, 6)).toBe('0.000000')
    expect(Amount.formatSigned(7n, 0)).toBe('7')
  })
})
