import { describe, expect, it } from 'vitest'
import { curvePoolOf, refusalOf } from '../../test/curvePools.fixture.ts'
import * as Curve from './Curve.ts'

function rateOf(percent: bigint): number {
  const amountRaw = 10n ** 10n * percent
  return Number((Curve.execute(curvePoolOf(), { inputIndex: 0, amountRaw }) * 1_000_000n) / amountRaw) / 1_000_000
}

describe('execute', () => {
  it.each([1n, 10n, 35n])(
    'an input of %s hundredths of a side is inputIndex at the price of the oracles, less the fee',
    (percent) => {
      expect(rateOf(percent)).toBeCloseTo(0.9995, 5)
    },
  )

  // Measured with the contracts of the family.
  it.each([
    [40n, 0.9936],
    [45n, 0.9799],
    [50n, 0.9621],
  ])('an input of %s hundredths of a side is inputIndex at a rate of %s', (percent, rate) => {
    expect(rateOf(percent)).toBeCloseTo(rate, 3)
  })

  it('an input beyond the halt is refused, by the side that is beyond it first', () => {
    const amountRaw = 6n * 10n ** 11n
    expect(refusalOf(() => Curve.execute(curvePoolOf(), { inputIndex: 0, amountRaw }))).toBe('Curve/upper-halt')
    expect(refusalOf(() => Curve.execute(curvePoolOf(), { inputIndex: 1, amountRaw }))).toBe('Curve/lower-halt')
  })

  it('an answer of zero, and values that fit no type, are refused as the contracts refuse them', () => {
    const swap = { inputIndex: 1, amountRaw: 1_000_000n } as const
    expect(refusalOf(() => Curve.execute(curvePoolOf({ answer: -1n }), swap))).toBe('panic 0x11')
    expect(refusalOf(() => Curve.execute(curvePoolOf({ balanceRaw: 1n << 200n }), swap))).toBe('')
    const empty = curvePoolOf({ answer: 0n, balanceRaw: 0n })
    expect(refusalOf(() => Curve.view(empty, { inputIndex: 1, amountRaw: 0n }))).toBe('panic 0x12')
  })
})

it('the view of an exact output adds the fee to the input, where the view of an exact input takes it from the output', () => {
  const amountRaw = 10n ** 11n
  const costRaw = Curve.viewInput(curvePoolOf(), { inputIndex: 0, amountRaw })
  expect(costRaw).toBe((amountRaw * 10_005n) / 10_000n)
  expect(Curve.view(curvePoolOf(), { inputIndex: 0, amountRaw: costRaw })).toBe(99_999_974_999n)
})
