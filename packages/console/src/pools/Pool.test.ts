import { Decimal } from '@agio/react/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Halts, describePool, findHalts, listEvenAmounts, toCurve, valueDecimals, valuePool } from './Pool.ts'

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
const pool = { isFrozen: false, oracles }
const curves = { hasAny: true, hasFailed: false }

it.each([
  ['with its largest inputs is open', { ...pool, maxAmountIn }, curves, 'Open'],
  ['that only its view prices is open, and priced on chain', pool, curves, 'Open, priced on chain'],
  [
    'that is frozen is frozen, also with an old price',
    { isFrozen: true, oracles: { ...oracles, token0: { stale: true } } },
    curves,
    'Frozen',
  ],
  ['without curves is being read', pool, { ...curves, hasAny: false }, 'Reading'],
  ['whose curves cannot be read is unknown', pool, { hasAny: false, hasFailed: true }, 'Unknown'],
] as const)('a pool %s', (_, described, known, name) => {
  expect(describePool(described, known).name).toBe(name)
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
    rows: [{ amountIn: '1', amountOut: '1' }, { amountIn, amountOut }, { amountIn: '9999' }],
  })
  expect(haltsOf(poolOf('2000', '1000'), rows('1000', '400'), rows('500', '800'))).toEqual(['28.57%', '71.43%'])
})

it.each([
  ['without ladders', poolOf('2000', '1000')],
  ['without reserves', poolOf('0', '0', { token0: '0', token1: '0' })],
])('a pool %s has no halts that are known', (_, pool) => {
  expect(haltsOf(pool)).toBeUndefined()
})

const tokens = { tokenIn: token0, tokenOut: token1 }

const row = (amountIn: string, amountOut: string, oracleAmountOut: string) => ({ amountIn, amountOut, oracleAmountOut })
const error = { code: 'svc/above-max-origin' as const, message: '' }

it('rates are compared with the oracle rate of the largest amount, which has the most digits', () => {
  const curve = toCurve({
    ...tokens,
    rows: [row('0.000004', '0.000001', '0.000002'), row('1000', '650.874400', '651.200000')],
  })
  const shown = curve?.points.map(({ rate }) => rate && Decimal.formatShare(rate.part, rate.whole))
  expect(shown).toEqual(['-61.61%', '-0.05%'])
})

it('the plot shows the sizes without rounding effects, and the oracle rate', () => {
  const curve = toCurve({
    ...tokens,
    rows: [row('0.000004', '0.000001', '0.000002'), row('1', '0.650874', '0.6512'), row('1000', '640', '651.2')],
  })
  expect(curve?.firstPrecise).toBe(1)
  expect(curve?.sizes).toEqual({ min: 0.000004, max: 1000 })
  expect(curve?.percents.max).toBeGreaterThan(0)
  expect(curve?.percents.min).toBeLessThan(-1.7)
  expect(curve?.percents.min).toBeGreaterThan(-3)
})

it('a row with an error has no rate, and stays in its place', () => {
  const curve = toCurve({ ...tokens, rows: [row('1', '0.650874', '0.6512'), { amountIn: '9', error }] })
  expect(curve?.points.map(({ rate, size }) => [size, rate === undefined])).toEqual([
    [1, false],
    [9, true],
  ])
})

it.each([[[]], [[{ amountIn: '9', error }]]])(
  'a ladder without a row that pays has no curve and no amounts',
  (rows) => {
    expect(toCurve({ ...tokens, rows })).toBeUndefined()
    expect(listEvenAmounts({ tokenIn: token0, rows })).toBeUndefined()
  },
)

it('at a rate of the oracles less a fee, every row is that fee below the rate, to a raw unit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 10n ** 9n, max: 10n ** 24n }), { minLength: 1, maxLength: 20 }),
      fc.bigInt({ min: 0n, max: 9999n }),
      (amounts, feeBps) => {
        const rows = amounts.map((raw) =>
          row(
            Decimal.fromRaw(raw, 6),
            Decimal.fromRaw((raw * (10_000n - feeBps)) / 10_000n, 6),
            Decimal.fromRaw(raw, 6),
          ),
        )
        for (const { rate } of toCurve({ ...tokens, rows })?.points ?? []) {
          expect(rate?.percent).toBeCloseTo(-Number(feeBps) / 100, 4)
        }
      },
    ),
  )
})

const centToken = { ...token0, decimals: 2 }

it('50 amounts up to the largest that pays are evenly spaced', () => {
  const rows = [
    { amountIn: '1', amountOut: '1' },
    { amountIn: '500', amountOut: '499' },
    { amountIn: '600', error },
  ]
  const amounts = listEvenAmounts({ tokenIn: centToken, rows })
  expect(amounts).toHaveLength(50)
  expect(amounts?.slice(0, 2)).toEqual(['10.00', '20.00'])
  expect(amounts?.at(-1)).toBe('500.00')
})

it('there are no more amounts than raw units', () => {
  expect(listEvenAmounts({ tokenIn: centToken, rows: [{ amountIn: '0.03', amountOut: '1' }] })).toEqual([
    '0.01',
    '0.02',
    '0.03',
  ])
})
