import { describe, expect, it } from 'vitest'
import { curvePoolOf, refusalOf } from '../../test/curvePools.fixture.ts'
import * as Curve from './Curve.ts'
import * as CurveInput from './CurveInput.ts'

const pool = curvePoolOf()

describe('largest', () => {
  it.each([0, 1] as const)('the input after the largest one halts (%s)', (inputIndex) => {
    const amountRaw = CurveInput.largest(pool, inputIndex)
    // Half of a side, and what the pool keeps of the penalty.
    expect(Number(amountRaw) / 1e12).toBeCloseTo(0.52, 1)
    expect(Curve.execute(pool, { inputIndex, amountRaw })).toBeGreaterThan(0n)
    expect(refusalOf(() => Curve.execute(pool, { inputIndex, amountRaw: amountRaw + 1n }))).toMatch(
      /^Curve\/(upper|lower)-halt$/,
    )
  })

  it('a pool beyond its halt takes nothing in one direction, and more than a balanced pool in the opposite direction', () => {
    const skewed = curvePoolOf({ balanceRaw: 4n * 10n ** 12n })
    expect(CurveInput.largest(skewed, 0)).toBe(0n)
    expect(CurveInput.largest(skewed, 1)).toBeGreaterThan(CurveInput.largest(pool, 1))
  })

  it('beyond inputs without convergence, the largest input of a steep pool is the last that it pays', () => {
    const steep = {
      alpha: 14757395258967641311n,
      beta: 1844674407370955180n,
      delta: 6588122883467697023n,
      epsilon: 9223372036854794n,
      lambda: 5534023222112865503n,
      sides: [
        { balanceRaw: 4003223429620269910415671n, answer: 5321007n, oracleDecimals: 8, tokenDecimals: 18 },
        { balanceRaw: 708523570051n, answer: 99870000n, oracleDecimals: 8, tokenDecimals: 6 },
      ],
    } as const
    const largestRaw = CurveInput.largest(steep, 1)
    // Executed with the contracts of the family.
    expect(Curve.execute(steep, { inputIndex: 1, amountRaw: 25509847075n })).toBe(261222027782545956941571n)
    expect(largestRaw).toBeGreaterThanOrEqual(25509847075n)
    expect(Curve.execute(steep, { inputIndex: 1, amountRaw: largestRaw })).toBeGreaterThan(0n)
    expect(refusalOf(() => Curve.execute(steep, { inputIndex: 1, amountRaw: largestRaw + 1n }))).not.toMatch(/^\d/)
  })

  it('a pool that is priced at zero takes nothing', () => {
    expect(CurveInput.largest(curvePoolOf({ answer: 0n }), 1)).toBe(0n)
  })
})

describe('findNearest', () => {
  it('beside an input for which the pool does not converge is the nearest that it pays for', () => {
    const refused = { inputIndex: 0, amountRaw: 9n * 10n ** 11n } as const
    expect(refusalOf(() => Curve.execute(pool, refused))).toBe('Curve/swap-convergence-failed')
    const nearRaw = CurveInput.findNearest(pool, refused)
    expect(nearRaw).toBe(CurveInput.largest(pool, 0))
  })

  it('returns undefined if the pool pays for no input up to twice the given one', () => {
    const skewed = curvePoolOf({ balanceRaw: 4n * 10n ** 12n })
    expect(CurveInput.findNearest(skewed, { inputIndex: 0, amountRaw: 10n ** 12n })).toBeUndefined()
  })
})

describe('findSmallest', () => {
  const maxRaw = CurveInput.largest(pool, 0)

  it.each([1n, 99_950n, 350_000_000_000n, 450_000_000_000n])(
    'one unit less than the input for %s pays less',
    (amountOutRaw) => {
      for (const guessRaw of [1n, amountOutRaw, 2n * amountOutRaw]) {
        const amountRaw = CurveInput.findSmallest(pool, { inputIndex: 0, amountOutRaw, guessRaw, maxRaw }) ?? 0n
        expect(Curve.execute(pool, { inputIndex: 0, amountRaw })).toBeGreaterThanOrEqual(amountOutRaw)
        expect(Curve.execute(pool, { inputIndex: 0, amountRaw: amountRaw - 1n })).toBeLessThan(amountOutRaw)
      }
    },
  )

  it('an output that the pool pays for no input has none', () => {
    const request = { inputIndex: 0, amountOutRaw: 10n ** 12n, guessRaw: 10n ** 12n, maxRaw } as const
    expect(CurveInput.findSmallest(pool, request)).toBeUndefined()
  })
})
