import { Decimal } from '@agio/react/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Part, type Waterfall, layOutWaterfall, toWaterfall } from './Waterfall.ts'

const tokenOut = { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'tUSD', decimals: 6 } as const
const receipt = {
  tokenOut,
  oracleAmountOut: '651.200000',
  parts: { priceMove: '0.100000', impact: '-0.200000', fee: '0.325600', rounding: '0.000001' },
  amountOut: '650.774399',
}

it('a part that was taken lowers the amount, and what was added raises it', () => {
  expect(toWaterfall(receipt)).toEqual({
    oracleRaw: 651_200_000n,
    steps: [
      { part: 'priceMove', changeRaw: 100_000n, levelRaw: 651_300_000n },
      { part: 'impact', changeRaw: -200_000n, levelRaw: 651_100_000n },
      { part: 'fee', changeRaw: -325_600n, levelRaw: 650_774_400n },
      { part: 'rounding', changeRaw: -1n, levelRaw: 650_774_399n },
    ],
    sumRaw: 650_774_399n,
    receivedRaw: 650_774_399n,
  })
})

it('parts that do not add up to the amount received give another sum', () => {
  const waterfall = toWaterfall({ ...receipt, amountOut: '650.774400' })
  expect(waterfall?.sumRaw).toBe(650_774_399n)
  expect(waterfall?.receivedRaw).toBe(650_774_400n)
})

it.each(['tokenOut', 'oracleAmountOut', 'parts', 'amountOut'] as const)(
  'a receipt without %s has no waterfall',
  (field) => {
    expect(toWaterfall({ ...receipt, [field]: undefined })).toBeUndefined()
  },
)

it('the parts of any receipt add up to the amount received, to the last raw unit', () => {
  const part = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
  const parts = fc.record({ oracleRaw: part, priceMove: part, impact: part, fee: part, rounding: part })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 18 }), parts, (decimals, { oracleRaw, ...raw }) => {
      const receivedRaw = oracleRaw + raw.priceMove + raw.impact - raw.fee - raw.rounding
      const format = (value: bigint) => Decimal.fromRaw(value, decimals)
      const [priceMove, impact] = [format(raw.priceMove), format(raw.impact)]
      const waterfall = toWaterfall({
        tokenOut: { ...tokenOut, decimals },
        oracleAmountOut: format(oracleRaw),
        parts: { priceMove, impact, fee: format(raw.fee), rounding: format(raw.rounding) },
        amountOut: format(receivedRaw),
      })
      expect(waterfall?.sumRaw).toBe(receivedRaw)
      expect(waterfall?.receivedRaw).toBe(receivedRaw)
      expect(waterfall?.steps.at(-1)?.levelRaw).toBe(receivedRaw)
    }),
  )
})

const waterfallOf = (oracleRaw: bigint, changes: Partial<Record<Part, bigint>>): Waterfall => {
  let levelRaw = oracleRaw
  const steps = (['priceMove', 'impact', 'fee', 'rounding'] as const).map((part) => {
    const changeRaw = changes[part] ?? 0n
    levelRaw += changeRaw
    return { part, changeRaw, levelRaw }
  })
  return { oracleRaw, steps, sumRaw: levelRaw, receivedRaw: levelRaw }
}

it('small parts are shown in a section that does not begin at zero', () => {
  const layout = layOutWaterfall(waterfallOf(651_200_000n, { fee: -325_600n }))
  expect(layout).toMatchObject({ isCut: true, fromRaw: 650_711_600n })
  const fee = layout.rows.find(({ kind }) => kind === 'fee')
  expect((fee?.end ?? 0) - (fee?.start ?? 0)).toBeCloseTo(0.625, 6)
  expect(layout.rows.map(({ kind }) => kind)).toEqual(['oracle', 'priceMove', 'impact', 'fee', 'rounding', 'received'])
})

it('large parts are shown from zero', () => {
  const layout = layOutWaterfall(waterfallOf(1000n, { impact: -300n }))
  expect(layout).toMatchObject({ isCut: false, fromRaw: 0n })
  expect(layout.rows.at(-1)).toMatchObject({ kind: 'received', start: 0, end: 0.7 })
})

it('without any part the picture begins at zero', () => {
  expect(layOutWaterfall(waterfallOf(1000n, {}))).toMatchObject({ isCut: false, fromRaw: 0n })
})

it('every bar of any waterfall is inside of the picture and begins where the previous one ended', () => {
  const change = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      fc.record({ priceMove: change, impact: change, fee: change, rounding: change }),
      (oracleRaw, changes) => {
        const { rows } = layOutWaterfall(waterfallOf(oracleRaw, changes))
        let level = rows[0]?.end ?? Number.NaN
        for (const { kind, raw, start, end } of rows) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeLessThanOrEqual(1)
          expect(start).toBeLessThanOrEqual(end)
          expect([start, end]).toContainEqual(expect.closeTo(level, 9))
          if (kind !== 'oracle' && kind !== 'received') level += raw < 0n ? start - end : end - start
        }
      },
    ),
  )
})
