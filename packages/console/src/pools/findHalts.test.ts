import { Decimal } from '@agio/react/internal'
import { expect, it } from 'vitest'
import { findHalts, type Halts } from './findHalts.ts'
import { valuePool } from './valuePool.ts'

const [token0, token1] = [
  { address: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', symbol: 'tAUD', decimals: 6 },
  { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'tUSD', decimals: 6 },
] as const

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
