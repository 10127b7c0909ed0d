import { Decimal } from '@agio/react/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toCurve, listEvenAmounts } from './toCurve.ts'

const [tokenIn, tokenOut] = [
  { address: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', symbol: 'tAUD', decimals: 6 },
  { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'tUSD', decimals: 6 },
] as const
const tokens = { tokenIn, tokenOut }

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

it.each([[[]], [[{ amountIn: '9', error }]]])('a ladder without a row that pays has no curve', (rows) => {
  expect(toCurve({ ...tokens, rows })).toBeUndefined()
})

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

const centToken = { address: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', symbol: 'tAUD', decimals: 2 } as const

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

it.each([[[]], [[{ amountIn: '600', error }]]])('a ladder that pays for nothing has none', (rows) => {
  expect(listEvenAmounts({ tokenIn: centToken, rows })).toBeUndefined()
})
