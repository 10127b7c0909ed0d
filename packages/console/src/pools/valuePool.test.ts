import { Decimal } from '@agio/react/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { valueDecimals, valuePool } from './valuePool.ts'

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
