import { Curve } from '@agio/core'
import { encodeErrorResult, numberToHex, parseAbi, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { verifyProbe } from './verifyProbe.ts'

const abi = parseAbi(['error Error(string)', 'error Panic(uint256)'])
const fixed = (hundredths: bigint) => (hundredths << 64n) / 100n
const side = { balanceRaw: 10n ** 12n, answer: 10n ** 8n, oracleDecimals: 8, tokenDecimals: 6 }
const parameters = { alpha: fixed(50n), beta: fixed(35n), delta: fixed(50n), epsilon: fixed(1n), lambda: fixed(30n) }
const curve: Curve.Curve = { ...parameters, sides: [side, side] }
const paidSwap = { inputIndex: 0, amountRaw: 10n ** 11n } as const
const haltedSwap = { inputIndex: 0, amountRaw: 6n * 10n ** 11n } as const
const overflowing = { inputIndex: 0, amountRaw: 10n ** 60n } as const

const returned = (value: bigint) => ({ success: true, data: numberToHex(value, { size: 32 }) })
const reverted = (reason: string) => ({
  success: false,
  data: encodeErrorResult({ abi, errorName: 'Error', args: [reason] }),
})
const panicked = { success: false, data: encodeErrorResult({ abi, errorName: 'Panic', args: [17n] }) }
const silent = { success: false, data: '0x' as Hex }

describe('verifyProbe', () => {
  it('an amount agrees to the last unit', () => {
    const amountRaw = Curve.view(curve, paidSwap)
    expect(verifyProbe(curve, paidSwap, returned(amountRaw))).toBe('agrees')
    expect(verifyProbe(curve, paidSwap, returned(amountRaw + 1n))).toBe('disagrees')
    expect(verifyProbe(curve, paidSwap, { success: true, data: `${returned(amountRaw).data}00` })).toBe('disagrees')
    expect(verifyProbe(curve, paidSwap, silent)).toBe('disagrees')
  })

  it('a refusal agrees by its reason', () => {
    expect(verifyProbe(curve, haltedSwap, reverted('Curve/upper-halt'))).toBe('agrees')
    expect(verifyProbe(curve, haltedSwap, reverted('Curve/lower-halt'))).toBe('disagrees')
    expect(verifyProbe(curve, haltedSwap, returned(1n))).toBe('disagrees')
    expect(verifyProbe(curve, haltedSwap, panicked)).toBe('disagrees')
  })

  it('overflows agree, with a reason or without one', () => {
    expect([silent, panicked].map((result) => verifyProbe(curve, overflowing, result))).toEqual(['agrees', 'agrees'])
    expect(verifyProbe(curve, overflowing, reverted('Curve/upper-halt'))).toBe('disagrees')
  })

  it.each([
    'Curve/frozen-only-allowing-proportional-withdraw',
    'Curve/frozen-globally-only-allowing-proportional-withdraw',
  ])('the refusal of a frozen pool says nothing of its curve: %s', (reason) => {
    expect(verifyProbe(curve, paidSwap, reverted(reason))).toBe('frozen')
  })
})
