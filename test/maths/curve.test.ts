import { Curve, CurveRevert, type Address } from '@agio/core'
import fc from 'fast-check'
import { decodeErrorResult, encodeFunctionData, maxUint256, parseAbi, type Hex } from 'viem'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { recordTrial } from '../long/trials.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { readAtBlock } from '../harness/readAtBlock.ts'
import { rarely } from './arbitraryCases.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { longTests } from '../harness/timeLimits.ts'

const extent = inject('extent')
const seed = extent === 'integration' ? 1 : randomSeed('worlds')
const batchCount = extent === 'long' ? 25_000 : extent === 'nightly' ? 500 : 40
const batchSize = 40

describe('the curve of the DFX v2 / Stabull v1 family', () => {
  let owner: Owner
  let address: Address

  beforeAll(async () => {
    const [target] = inject('targets')
    if (!target) throw new Error('There is no local chain')
    owner = connectOwner(target.chains[84532])
    address = await owner.deploy('testing/FamilyCurve', [])
  })

  it(
    'our computation of random swaps equals the execution and the views of a contract, refusals and their reasons included',
    { timeout: longTests.randomQuotes },
    async () => {
      const outcomes = new Map<string, number>()
      for (let batch = 0; batch < batchCount; batch += 1) {
        const worlds = fc.sample(arbitraryWorlds(), { seed: seed + batch, numRuns: batchSize })
        const onChain = await quoteWorldsOnChain(owner, address, worlds)
        const ours = quoteWorlds(worlds)
        expect(findDifferences(worlds, [ours, onChain]), `seed ${seed}`).toEqual([])
        for (const outcome of ours) {
          const name = typeof outcome === 'bigint' ? 'paid' : outcome
          outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
        }
      }
      const least = extent === 'integration' ? 1 : 10
      for (const name of ['paid', 'Curve/upper-halt', 'Curve/lower-halt', 'Curve/swap-convergence-failed', '']) {
        expect(outcomes.get(name) ?? 0, `seed ${seed}: ${name || 'without a reason'}`).toBeGreaterThanOrEqual(least)
      }
      const [paid = 0, worldCount] = [outcomes.get('paid'), batchCount * batchSize]
      expect(paid).toBeGreaterThan(worldCount / 4)
      if (extent !== 'long') return
      recordTrial({
        trial: 'The curve of the DFX v2 / Stabull v1 family, computed',
        tried: `${worldCount.toLocaleString('en')} random worlds, each with an execution or a view of a contract, by \`eth_call\``,
        result: `Differences: 0. ${(worldCount - paid).toLocaleString('en')} were refused, for the same reasons`,
      })
    },
  )
})

function findDifferences(
  worlds: readonly World[],
  [ours, onChain]: readonly [readonly WorldOutcome[], readonly WorldOutcome[]],
): readonly unknown[] {
  return worlds.flatMap((world, index) =>
    ours[index] === onChain[index] ? [] : [{ world, ours: ours[index], onChain: onChain[index] }],
  )
}

/** Raw units, or why the contract reverts. */
type WorldOutcome = bigint | string

/** The outcomes of worlds by our computation. */
function quoteWorlds(worlds: readonly World[]): readonly WorldOutcome[] {
  return worlds.map(({ kind, pool, swap }) => {
    try {
      if (kind === 'execution') return Curve.execute(pool, swap)
      return kind === 'view' ? Curve.view(pool, swap) : Curve.viewInput(pool, swap)
    } catch (error) {
      if (error instanceof CurveRevert) return error.reason
      throw error
    }
  })
}

const familyCurveAbi = parseAbi([
  'struct Side { uint256 balance; uint256 rate; uint256 oracleUnit; uint256 tokenUnit; }',
  'struct World { int128 alpha; int128 beta; int128 delta; int128 epsilon; int128 lambda; Side[2] sides; }',
  'function executeOrigin(World world, uint256 paid, uint256 amount) view returns (uint256)',
  'function viewOrigin(World world, uint256 paid, uint256 amount) view returns (uint256)',
  'function viewTarget(World world, uint256 paid, uint256 amount) view returns (uint256)',
])

const functions = { execution: 'executeOrigin', view: 'viewOrigin', 'view of an exact output': 'viewTarget' } as const

/** The outcomes of worlds by the contract, in one call. */
async function quoteWorldsOnChain({ client }: Owner, address: Address, worlds: readonly World[]) {
  const calls = worlds.map((world) => ({ target: address, data: encode(world) }))
  return await readAtBlock(client, { at: 'latest', calls, toError: toReason })
}

function encode({ kind, pool: { sides, ...parameters }, swap: { inputIndex, amountRaw } }: World): Hex {
  const world = { ...parameters, sides: [toSide(sides[0]), toSide(sides[1])] as const }
  return encodeFunctionData({
    abi: familyCurveAbi,
    functionName: functions[kind],
    args: [world, BigInt(inputIndex), amountRaw],
  })
}

function toSide({ balanceRaw, answer, oracleDecimals, tokenDecimals }: Curve.Side) {
  return {
    balance: balanceRaw,
    rate: BigInt.asUintN(256, answer),
    oracleUnit: 10n ** BigInt(oracleDecimals),
    tokenUnit: 10n ** BigInt(tokenDecimals),
  }
}

function toReason(data: Hex): string {
  if (data === '0x') return ''
  const { errorName, args } = decodeErrorResult({ data })
  return errorName === 'Panic' ? `panic 0x${(args as readonly [bigint])[0].toString(16)}` : String(args?.[0])
}

/** A swap through a pool of the family: by its execution, by its view, or by the view of an exact output. */
type World = { readonly kind: (typeof kinds)[number]; readonly pool: Curve.Curve; readonly swap: Curve.Swap }

const kinds = ['execution', 'view', 'view of an exact output'] as const

const scale = 10n ** 18n
const fixed = (value: bigint) => (value << 64n) / scale

/** Random pools of any parameters that the family accepts, mostly near the edges of their flat zone and their halts. */
function arbitraryWorlds(): fc.Arbitrary<World> {
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
