import type { Curve } from '@agio/core'
import fc from 'fast-check'
import { maxUint256 } from 'viem'

/** A swap through a pool of the family: by its execution, by its view, or by the view of an exact output. */
export type World = { readonly kind: (typeof kinds)[number]; readonly pool: Curve.Curve; readonly swap: Curve.Swap }

const kinds = ['execution', 'view', 'view of an exact output'] as const

const scale = 10n ** 18n
const fixed = (value: bigint) => (value << 64n) / scale

/** Random pools of any parameters that the family accepts, mostly near the edges of their flat zone and their halts. */
export function arbitraryWorlds(): fc.Arbitrary<World> {
  return fc
    .tuple(
      fc.constantFrom(...kinds),
      arbitraryParameters(),
      fc.tuple(arbitraryUnits(), arbitraryUnits()),
      fc.constantFrom<(0 | 1)[]>(0, 1),
      arbitraryPosition(),
    )
    .chain(([kind, parameters, units, inputIndex, position]) => {
      const sides = toSides(units, { parameters, position })
      const given = kind === 'view of an exact output' ? sides[1 - inputIndex] : sides[inputIndex]
      return arbitraryAmount(given as Curve.Side).map((amountRaw) => ({
        kind,
        pool: { ...parameters.stored, sides },
        swap: { inputIndex, amountRaw },
      }))
    })
}

type Parameters = { readonly stored: Curve.Parameters; readonly alpha: bigint; readonly beta: bigint }

/** Parameters within the bounds of the family, stored as its pools store them. */
function arbitraryParameters(): fc.Arbitrary<Parameters> {
  const usual = fc.constant([scale / 2n, (scale * 35n) / 100n, (scale * 15n) / 100n, scale / 2000n, scale] as const)
  const any = fc
    .tuple(
      fc.bigInt({ min: 2n, max: scale - 1n }),
      fc.bigInt({ min: 0n, max: scale }),
      fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: scale / 2n })),
      fc.oneof(fc.constantFrom(0n, scale / 100n), fc.bigInt({ min: 0n, max: scale / 100n })),
      fc.oneof(fc.constantFrom(0n, scale, (scale * 3n) / 10n), fc.bigInt({ min: 0n, max: scale })),
    )
    .map(([alpha, share, feeAtHalt, epsilon, lambda]) => {
      const beta = ((alpha - 1n) * share) / scale
      return [alpha, beta, feeAtHalt, epsilon, lambda] as const
    })
  return fc
    .oneof({ weight: 1, arbitrary: usual }, { weight: 3, arbitrary: any })
    .map(([alpha, beta, feeAtHalt, epsilon, lambda]) => {
      const [storedAlpha, storedBeta] = [fixed(alpha + 1n), fixed(beta + 1n)]
      const width = 2n * (storedAlpha - storedBeta)
      const delta = width === 0n ? 0n : (fixed(feeAtHalt) << 64n) / width + 18n
      const largest = (1n << 127n) - 1n
      return {
        alpha,
        beta,
        stored: {
          alpha: storedAlpha,
          beta: storedBeta,
          delta: delta > largest ? largest : delta,
          epsilon: fixed(epsilon + 1n),
          lambda: fixed(lambda + 1n),
        },
      }
    })
}

type Units = Pick<Curve.Side, 'answer' | 'oracleDecimals' | 'tokenDecimals'>

/** Prices from a hundredth of a cent to ten thousand dollars, and rarely what no oracle should answer. */
function arbitraryUnits(): fc.Arbitrary<Units> {
  return fc
    .tuple(fc.constantFrom(5, 8, 18), fc.constantFrom(0, 2, 6, 8, 18), fc.bigInt({ min: 1n, max: 10n ** 8n }))
    .chain(([oracleDecimals, tokenDecimals, tenThousandths]) => {
      const answer = (tenThousandths * 10n ** BigInt(oracleDecimals)) / 10_000n
      return rarely(fc.constantFrom(0n, 1n, -1n, 10n ** 40n), fc.constant(answer)).map((rate) => ({
        answer: rate,
        oracleDecimals,
        tokenDecimals,
      }))
    })
}

type Position = {
  /** Dollars that both sides are worth. */
  readonly dollars: bigint
  /** Where the first side is, between an empty one, the edges of the zones, and the whole pool. */
  readonly at: 'anywhere' | 'flat zone' | 'halt'
  readonly isAbove: boolean
  /** In millionths: how far from there, or where. */
  readonly offset: bigint
}

function arbitraryPosition(): fc.Arbitrary<Position> {
  return fc
    .tuple(
      fc.integer({ min: 0, max: 13 }).chain((digits) => fc.bigInt({ min: 1n, max: 10n ** BigInt(digits) })),
      fc.constantFrom<Position['at'][]>('anywhere', 'flat zone', 'halt'),
      fc.boolean(),
      fc.oneof(fc.bigInt({ min: -1n, max: 1n }), fc.bigInt({ min: -100_000n, max: 100_000n })),
      fc.bigInt({ min: 0n, max: 1_000_000n }),
    )
    .map(([dollars, at, isAbove, near, anywhere]) => ({
      dollars,
      at,
      isAbove,
      offset: at === 'anywhere' ? anywhere : near,
    }))
}

function toSides(
  units: readonly [Units, Units],
  {
    parameters: { alpha, beta },
    position: { dollars, at, isAbove, offset },
  }: { parameters: Parameters; position: Position },
): readonly [Curve.Side, Curve.Side] {
  const million = 1_000_000n
  const distance = at === 'halt' ? alpha : beta
  const edge = (million * (isAbove ? scale + distance : scale - distance)) / (2n * scale)
  const share = at === 'anywhere' ? offset : edge + offset
  const first = share < 0n ? 0n : share > million ? million : share
  const toBalance = ({ answer, oracleDecimals, tokenDecimals }: Units, part: bigint) =>
    answer > 0n ? (dollars * part * 10n ** BigInt(oracleDecimals + tokenDecimals)) / (million * answer) : dollars * part
  return [
    { ...units[0], balanceRaw: toBalance(units[0], first) },
    { ...units[1], balanceRaw: toBalance(units[1], million - first) },
  ]
}

/** Single units, shares of what the side holds, several times of it, and numbers that no type of the contract holds. */
function arbitraryAmount({ balanceRaw }: Curve.Side): fc.Arbitrary<bigint> {
  const share = fc
    .tuple(fc.bigInt({ min: 0n, max: 1_200_000n }), fc.constantFrom(-1n, 0n, 1n))
    .map(([millionths, unit]) => (balanceRaw * millionths) / 1_000_000n + unit)
    .map((amount) => (amount > 0n ? amount : 1n))
  return fc.oneof(
    { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 2000n }) },
    { weight: 8, arbitrary: share },
    { weight: 1, arbitrary: rarely(fc.constantFrom(maxUint256, 1n << 200n), fc.bigInt({ min: 1n, max: 10n ** 30n })) },
  )
}

function rarely<Rare, Usual>(rare: fc.Arbitrary<Rare>, usual: fc.Arbitrary<Usual>): fc.Arbitrary<Rare | Usual> {
  return fc.oneof({ weight: 1, arbitrary: rare }, { weight: 24, arbitrary: usual })
}
