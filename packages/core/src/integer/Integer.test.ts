import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as Integer from './Integer.ts'

it('a quotient rounded up is the smallest integer whose product with the denominator reaches the numerator', () => {
  const numerators = fc.bigInt({ min: 0n, max: 2n ** 512n })
  const denominators = fc.bigInt({ min: 1n, max: 2n ** 256n })
  fc.assert(
    fc.property(numerators, denominators, (numerator, denominator) => {
      const quotient = Integer.ceilDiv(numerator, denominator)
      expect(quotient * denominator).toBeGreaterThanOrEqual(numerator)
      expect((quotient - 1n) * denominator).toBeLessThan(numerator)
    }),
  )
})

it('geometric steps go from the first to the last integer of a range by a constant factor', () => {
  expect(Integer.listGeometricSteps({ fromRaw: 1n, toRaw: 10_000n }, 5)).toEqual([1n, 10n, 100n, 1000n, 10_000n])
  expect(Integer.listGeometricSteps({ fromRaw: 3n, toRaw: 48n }, 5)).toEqual([3n, 6n, 12n, 24n, 48n])
  expect(Integer.listGeometricSteps({ fromRaw: 5n, toRaw: 4n }, 10)).toEqual([])
})

it('geometric steps of any range are as many as requested, ascend, and have a constant factor of up to two units', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 40n }),
      fc.integer({ min: 0, max: 256 }).chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) })),
      fc.integer({ min: 2, max: 100 }),
      (fromRaw, width, count) => {
        const toRaw = fromRaw + width
        const steps = Integer.listGeometricSteps({ fromRaw, toRaw }, count)
        expect(steps.length).toBe(width < BigInt(count) ? Number(width) + 1 : count)
        expect([steps[0], steps.at(-1)]).toEqual([fromRaw, toRaw])
        for (const [index, step] of steps.slice(1).entries()) expect(step > (steps[index] ?? 0n)).toBe(true)
        const factor = (Number(toRaw) / Number(fromRaw)) ** (1 / (count - 1))
        if (Number(fromRaw) * (factor - 1) < 1) return
        for (const [index, step] of steps.entries()) {
          const exact = Number(fromRaw) * factor ** index
          expect(Math.abs(Number(step) - exact)).toBeLessThan(2 + exact * 1e-9)
        }
      },
    ),
    { numRuns: 1000 },
  )
})
