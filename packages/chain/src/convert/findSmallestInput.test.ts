import { Errors } from '@agio/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSmallestInput } from './findSmallestInput.ts'
import type { Outcome } from './viewOutcome.ts'

const tooSmall = Errors.amountTooSmall()
const aboveLimit = Errors.aboveMaxOrigin({})
const reverted = Errors.reverted({ action: 'convert', contract: 'the pool', revert: { name: 'Revert', args: [] } })

describe('the smallest input of an output', () => {
  it('the smallest input pays the output, and one unit less does not, for any curve, decimals and guess', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCurve, async ({ payOf, limitRaw, guessRaw, outputRaw, beyondRaw, priceRaw }) => {
        const { found, rounds } = await search({ payOf, limitRaw, guessRaw, outputRaw, beyondRaw, priceRaw })
        // Each round leaves at most a sixteenth.
        expect(rounds).toBeLessThanOrEqual(1 + beyondRaw.toString(16).length)
        const isPayable = payOf(limitRaw) >= outputRaw
        const outcomes = { atInput: payOf(found.inputRaw) >= outputRaw, below: payOf(found.inputRaw - 1n) >= outputRaw }
        expect(found.outcome).toBe(isPayable ? payOf(found.inputRaw) : aboveLimit)
        expect(!isPayable || (outcomes.atInput && !outcomes.below)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('the smallest input at a known price takes two rounds', async () => {
    const payOf = (raw: bigint) => (raw * 6_508_744n) / 10_000_000n - 3n
    const [outputRaw, guessRaw] = [650_874_400n, 1_000_000_000n]
    const world = { payOf, limitRaw: 10n ** 12n, guessRaw, outputRaw, beyondRaw: 10n ** 14n, priceRaw: 65n }
    const { found, rounds } = await search(world)
    expect(found).toEqual({ inputRaw: 1_000_000_005n, outcome: outputRaw })
    expect(rounds).toBe(2)
  })

  it('the smallest input beyond a penalty takes at most five rounds', async () => {
    const payOf = (raw: bigint) => raw - (raw * raw) / 10n ** 13n
    const world = { payOf, limitRaw: 10n ** 12n, beyondRaw: 10n ** 14n, priceRaw: 100n }
    const { rounds } = await search({ ...world, guessRaw: 7n * 10n ** 11n, outputRaw: 7n * 10n ** 11n })
    expect(rounds).toBeLessThanOrEqual(5)
  })

  it('an output beyond the limit is refused after few rounds', async () => {
    const world = { limitRaw: 10n ** 10n, beyondRaw: 10n ** 14n, priceRaw: 100n }
    const { found, rounds } = await search({
      ...world,
      payOf: (raw) => raw,
      guessRaw: 10n ** 12n,
      outputRaw: 10n ** 12n,
    })
    expect(found.outcome).toBe(aboveLimit)
    expect(rounds).toBeLessThanOrEqual(3)
  })

  it('a revert for another reason ends the search at the guess', async () => {
    let rounds = 0
    const view = (inputs: readonly bigint[]) => {
      rounds++
      return Promise.resolve(inputs.map(() => reverted))
    }
    const request = { outputRaw: 1000n, guessRaw: 900n, beyondRaw: 10n ** 9n, valueOf: (raw: bigint) => raw }
    expect(await findSmallestInput(view, request)).toEqual({ inputRaw: 900n, outcome: reverted })
    expect(rounds).toBe(1)
  })

  it('inputs that revert for another reason below the guess are too small', async () => {
    const view = (inputs: readonly bigint[]) => Promise.resolve(inputs.map((raw) => (raw < 100n ? reverted : raw)))
    const request = { outputRaw: 120n, guessRaw: 110n, beyondRaw: 10n ** 9n, valueOf: (raw: bigint) => raw }
    expect(await findSmallestInput(view, request)).toEqual({ inputRaw: 120n, outcome: 120n })
  })

  it('a curve that falls in places is paid enough all the same', async () => {
    const payOf = (raw: bigint) => raw - ((raw / 7n) % 3n)
    const world = { payOf, limitRaw: 10n ** 9n, beyondRaw: 10n ** 10n, priceRaw: 100n }
    for (let outputRaw = 1n; outputRaw < 200n; outputRaw++) {
      const { found } = await search({ ...world, guessRaw: outputRaw, outputRaw })
      expect(payOf(found.inputRaw) >= outputRaw).toBe(true)
      expect(payOf(found.inputRaw - 1n) < outputRaw).toBe(true)
    }
  })
})

type World = {
  readonly payOf: (inputRaw: bigint) => bigint
  readonly limitRaw: bigint
  readonly guessRaw: bigint
  readonly outputRaw: bigint
  readonly beyondRaw: bigint
  /** The output of a hundred inputs at the oracle prices. */
  readonly priceRaw: bigint
}

/** Rising curves with steps, a penalty and a limit, and an output that some of them cannot pay. */
const arbitraryCurve: fc.Arbitrary<World> = fc
  .record({
    limitRaw: arbitraryOfDigits(2, 40),
    priceRaw: fc.bigInt({ min: 1n, max: 10n ** 6n }),
    widthRaw: arbitraryOfDigits(1, 20),
    penaltyPermille: fc.bigInt({ min: 0n, max: 400n }),
    outputPermyriad: fc.bigInt({ min: 0n, max: 11_000n }),
    guessPermille: fc.bigInt({ min: 0n, max: 3000n }),
  })
  .map(({ limitRaw, priceRaw, widthRaw, penaltyPermille, outputPermyriad, guessPermille }) => {
    // A step is worth about ten units at most: a search beside a limit gives up what more than ten times the value would need.
    const stepRaw = (widthRaw % (1000n / priceRaw + 1n)) + 1n
    const payOf = (raw: bigint) => {
      const steppedRaw = raw - (raw % stepRaw)
      return ((steppedRaw - (steppedRaw * steppedRaw * penaltyPermille) / (1000n * limitRaw)) * priceRaw) / 100n
    }
    const outputRaw = (payOf(limitRaw) * outputPermyriad) / 10_000n + 1n
    const guessRaw = (limitRaw * outputPermyriad * guessPermille) / 10_000_000n + 1n
    return { payOf, limitRaw, priceRaw, outputRaw, guessRaw, beyondRaw: limitRaw * 16n }
  })

async function search({ payOf, limitRaw, priceRaw, ...request }: World) {
  let rounds = 0
  const found = await findSmallestInput(
    (inputsRaw) => {
      rounds++
      expect(inputsRaw.length).toBeLessThanOrEqual(32)
      expect(inputsRaw.length).toBeGreaterThan(0)
      return Promise.resolve(inputsRaw.map((raw): Outcome => (raw > limitRaw ? aboveLimit : payOf(raw) || tooSmall)))
    },
    { ...request, valueOf: (raw) => (raw * priceRaw) / 100n },
  )
  return { found, rounds }
}

function arbitraryOfDigits(min: number, max: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min, max })
    .chain((length) => fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) - 1n }))
}
