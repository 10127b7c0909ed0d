import { Decimal } from '@agio/react/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Halts, describePool, findHalts, valueDecimals, valuePool } from './Pool.ts'

const [token0, token1] = [
  { address: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', symbol: 'tAUD', decimals: 6 },
  { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'tUSD', decimals: 6 },
] as const

const prices = { token0: { usd: '0.65120000' }, token1: { usd: '1.00' } }

it('reserves are valued at their prices, exactly', () => {
  const value = valuePool({ token0, token1, reserves: { token0: '1535626.535626', token1: '1000000.000000' } }, prices)
  expect(value.sides.map(({ valueRaw }) => Decimal.fromRaw(valueRaw, valueDecimals))).toEqual([
    '999999.99999965120000000000000000000000',
    '1000000.00000000000000000000000000000000',
  ])
})

it('the values of both sides add up to the total for any size', () => {
  const reserve = fc.bigInt({ min: 0n, max: 10n ** 30n }).map((raw) => Decimal.fromRaw(raw, 6))
  fc.assert(
    fc.property(reserve, reserve, (one, other) => {
      const { sides, totalRaw } = valuePool({ token0, token1, reserves: { token0: one, token1: other } }, prices)
      expect(sides[0].valueRaw + sides[1].valueRaw).toBe(totalRaw)
    }),
  )
})

const oracles = { token0: { stale: false }, token1: { stale: false } }
const maxAmountIn = { token0: '1', token1: '1' }
const curves = { errorCodes: [], hasAny: true, wasLocal: false }

it.each([
  ['with its largest inputs is open', { oracles, maxAmountIn }, curves, 'Open'],
  ['that only its view prices is open, and priced on chain', { oracles }, curves, 'Open, priced on chain'],
  [
    'that refuses conversions as frozen is frozen, also with an old price',
    { oracles: { ...oracles, token0: { stale: true } } },
    { ...curves, errorCodes: ['svc/pool-frozen'] },
    'Frozen',
  ],
  [
    'whose curves were read before it lost its largest inputs is not priced on chain',
    { oracles },
    { ...curves, wasLocal: true },
    'Reading',
  ],
  ['without curves is being read', { oracles }, { ...curves, hasAny: false }, 'Reading'],
  [
    'whose curves cannot be read is unknown',
    { oracles },
    { ...curves, hasAny: false, errorCodes: ['svc/upstream-timeout'] },
    'Unknown',
  ],
] as const)('a pool %s', (_, pool, known, name) => {
  expect(describePool(pool, known).name).toBe(name)
})

const poolOf = (reserve0: string, reserve1: string, maxAmountIn?: Halts['maxAmountIn']) => ({
  token0,
  token1,
  maxAmountIn,
  reserves: { token0: reserve0, token1: reserve1 },
  oracles: { token0: { usd: '0.50000000' }, token1: { usd: '1.00' } },
})

type Ladder = Parameters<typeof findHalts>[2][0]

const haltsOf = (pool: ReturnType<typeof poolOf>, first?: Ladder, second?: Ladder) => {
  const halts = findHalts(pool, valuePool(pool, pool.oracles), [first, second])
  return halts && [halts.low, halts.high].map(({ part, whole }) => Decimal.formatShare(part, whole))
}

it('the largest inputs of one of our pools reach its halts', () => {
  // Each side is worth 1000. A halt of 0.5 allows 500 more.
  expect(haltsOf(poolOf('2000', '1000', { token0: '1000', token1: '500' }))).toEqual(['25.00%', '75.00%'])
})

it('the halt of a side without room is derived from the other side', () => {
  // The first token has 80 %, above its limit of 75 %.
  expect(haltsOf(poolOf('3200', '400', { token0: '0', token1: '1100' }))).toEqual(['25.00%', '75.00%'])
  expect(haltsOf(poolOf('800', '1600', { token0: '2200', token1: '0' }))).toEqual(['25.00%', '75.00%'])
})

it('the largest conversions of a pool that is priced on chain show its halts', () => {
  const rows = (amountIn: string, amountOut: string) => ({
    rows: [
      { amountIn: '1', amountOut: '1' },
      { amountIn, amountOut },
      { amountIn: '9999', error: undefined },
    ],
  })
  expect(haltsOf(poolOf('2000', '1000'), rows('1000', '400'), rows('500', '800'))).toEqual(['28.57%', '71.43%'])
})

it.each([
  ['without ladders', poolOf('2000', '1000')],
  ['without reserves', poolOf('0', '0', { token0: '0', token1: '0' })],
])('a pool %s has no halts that are known', (_, pool) => {
  expect(haltsOf(pool)).toBeUndefined()
})
