import { expect, it } from 'vitest'
import { listEvenAmounts } from './listEvenAmounts.ts'

const tokenIn = { address: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', symbol: 'tAUD', decimals: 2 } as const
const error = { code: 'svc/above-max-origin' as const, message: '' }

it('50 amounts up to the largest that pays are evenly spaced', () => {
  const rows = [
    { amountIn: '1', amountOut: '1' },
    { amountIn: '500', amountOut: '499' },
    { amountIn: '600', error },
  ]
  const amounts = listEvenAmounts({ tokenIn, rows })
  expect(amounts).toHaveLength(50)
  expect(amounts?.slice(0, 2)).toEqual(['10.00', '20.00'])
  expect(amounts?.at(-1)).toBe('500.00')
})

it('there are no more amounts than raw units', () => {
  expect(listEvenAmounts({ tokenIn, rows: [{ amountIn: '0.03', amountOut: '1' }] })).toEqual(['0.01', '0.02', '0.03'])
})

it.each([[[]], [[{ amountIn: '600', error }]]])('a ladder that pays for nothing has none', (rows) => {
  expect(listEvenAmounts({ tokenIn, rows })).toBeUndefined()
})
