import { PoolMath, type Address, type Pool } from '@agio/core'
import fc from 'fast-check'
import { maxUint256 } from 'viem'
import type { DeployedPool, DeployedSide } from './deployPools.ts'

/** A swap, and the state of its pool. */
export type SwapCase = { readonly pool: Pool.Pool; readonly swap: Swap }

/** A quote of an exact input or of an exact output, or the limit of a direction. */
export type Swap = {
  readonly kind: 'exactIn' | 'exactOut' | 'maxOrigin'
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Raw units. The limit does not depend on it. */
  readonly amountRaw: bigint
}

// The cases of each pool: most are exact inputs.
const kinds = [...Array<'exactIn'>(7).fill('exactIn'), 'exactOut', 'exactOut', 'maxOrigin'] as const

/** Random reserves, prices and faults of deployed pools, each with seven exact inputs, two exact outputs and a limit. */
export function arbitraryCases(pools: readonly DeployedPool[], nowSeconds: bigint): fc.Arbitrary<readonly SwapCase[]> {
  const cases = pools.map((deployed) =>
    arbitraryPool(deployed, nowSeconds).chain((pool) =>
      fc.tuple(...kinds.map((kind) => arbitrarySwap(pool, kind))).map((swaps) => swaps.map((swap) => ({ pool, swap }))),
    ),
  )
  return fc.tuple(...cases).map((lists) => lists.flat())
}

function arbitraryPool(
  { address, alpha, epsilon, ...sides }: DeployedPool,
  nowSeconds: bigint,
): fc.Arbitrary<Pool.Pool> {
  return fc
    .record({
      base: arbitrarySide(sides.base, nowSeconds),
      quote: arbitrarySide(sides.quote, nowSeconds),
      frozen: rarely(fc.constant(true), fc.constant(false)),
    })
    .map((state) => ({ ...state, address, alpha, epsilon, totalSupply: 0n, pricing: 'local' }))
}

function arbitrarySide(side: DeployedSide, nowSeconds: bigint): fc.Arbitrary<Pool.Side> {
  const { token, decimals, oracle, maxAgeSeconds } = side
  const ages = fc.constantFrom(0n, maxAgeSeconds / 2n, maxAgeSeconds)
  const badTimes = fc.constantFrom(0n, nowSeconds - maxAgeSeconds - 1n, nowSeconds + 1n, maxUint256)
  return fc
    .record({
      reserve: fc.oneof(ofAnySize(9 + decimals), fc.constant(0n)),
      dollars: rarely(fc.constant(0n), fc.oneof(upToABillionFrom(1n), upToABillionFrom(3n * 10n ** 8n))),
      answer: oracle === null ? fc.constant(100_000_000n) : rarely(fc.constantFrom(0n, -1n), ofAnySize(12)),
      updatedAtSeconds: rarely(
        badTimes,
        ages.map((age) => nowSeconds - age),
      ),
    })
    .map(({ reserve, dollars, ...price }) => ({
      token: { address: token, decimals, symbol: 'T', name: 'T' },
      // Sides of random size are rarely near balance, where swaps are possible: most sides are drawn by value.
      reserve: dollars > 0n && price.answer > 0n ? (dollars * 10n ** BigInt(8 + decimals)) / price.answer : reserve,
      price: { oracle, maxAgeSeconds, ...price },
    }))
}

function upToABillionFrom(min: bigint): fc.Arbitrary<bigint> {
  return fc.bigInt({ min, max: 10n ** 9n })
}

type Pair = readonly [Address, Address]

function arbitrarySwap(pool: Pool.Pool, kind: Swap['kind']): fc.Arbitrary<Swap> {
  const [base, quote] = [pool.base.token.address, pool.quote.token.address]
  const pairs = rarely<Pair, Pair>(
    fc.constantFrom<Pair[]>([base, base], [base, pool.address], [pool.address, quote]),
    fc.constantFrom<Pair[]>([base, quote], [quote, base]),
  )
  return pairs.chain(([tokenIn, tokenOut]) =>
    arbitraryAmount(pool, { kind, tokenIn }).map((amountRaw) => ({ kind, tokenIn, tokenOut, amountRaw })),
  )
}

/** Zero, one unit, any size, the maximum of uint256, or an amount around the limit of the pool. */
function arbitraryAmount(pool: Pool.Pool, { kind, tokenIn }: Pick<Swap, 'kind' | 'tokenIn'>): fc.Arbitrary<bigint> {
  const [origin, target] = pool.base.token.address === tokenIn ? [pool.base, pool.quote] : [pool.quote, pool.base]
  const available =
    kind === 'exactIn' && origin.price.answer > 0n ? PoolMath.maxOrigin({ pool, origin, target }) : target.reserve
  const part = fc
    .tuple(fc.oneof(fc.bigInt({ min: 0n, max: 1100n }), fc.constant(1000n)), fc.constantFrom(-1n, 0n, 1n))
    .map(([permille, offset]) => (available * permille) / 1000n + offset)
    .map((raw) => (raw > 0n ? raw : 1n))
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n, 2001n, kind === 'exactIn' ? maxUint256 : 10n ** 36n) },
    { weight: 1, arbitrary: ofAnySize(30) },
    { weight: 7, arbitrary: part },
  )
}

/** Positive integers of up to that many digits; all lengths are equally likely. */
export function ofAnySize(digits: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: 1, max: digits })
    .chain((length) => fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) - 1n }))
}

/** One value in 25 is a rare one. */
export function rarely<Rare, Usual>(rare: fc.Arbitrary<Rare>, usual: fc.Arbitrary<Usual>): fc.Arbitrary<Rare | Usual> {
  return fc.oneof({ weight: 1, arbitrary: rare }, { weight: 24, arbitrary: usual })
}
