import { expect, it } from 'vitest'
import { toRevertError } from './toRevertError.ts'

const tokenOf = (symbol: string, decimals: number) =>
  ({ address: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9', symbol, name: symbol, decimals }) as const
const tokens = { tokenIn: tokenOf('tAUD', 6), tokenOut: tokenOf('tEUR', 2) }

it.each([
  [
    'StalePrice',
    ['0xabc', '1700000000', '3600'],
    'svc/stale-price',
    { updatedAt: '2023-11-14T22:13:20.000Z', maxAgeSeconds: 3600 },
  ],
  ['AboveMaxOrigin', ['2500000', '1000000'], 'svc/above-max-origin', { amountIn: '2.500000', maxAmountIn: '1.000000' }],
  ['BelowMinTarget', ['99', '100'], 'svc/below-min-target', { amountOut: '0.99', minAmountOut: '1.00' }],
  [
    'ERC20InsufficientBalance',
    ['0xabc', '1', '2'],
    'svc/insufficient-balance',
    { required: '0.000002', current: '0.000001' },
  ],
  [
    'ERC20InsufficientAllowance',
    ['0xabc', '0', '5'],
    'svc/insufficient-allowance',
    { required: '0.000005', current: '0.000000' },
  ],
  ['Frozen', [], 'svc/pool-frozen', {}],
  ['DeadlinePassed', ['1'], 'svc/deadline-passed', {}],
  ['ZeroAmount', [], 'svc/amount-too-small', {}],
  ['NoPath', ['0xabc', '0xdef'], 'svc/no-route', {}],
  ['FaucetDry', ['0xabc'], 'svc/faucet-dry', { token: '0xabc' }],
  ['Panic', ['17'], 'svc/reverted', { revert: { name: 'Panic', args: ['17'] } }],
] as const)('%s(%j) is %s', (name, args, code, details) => {
  expect(toRevertError({ name, args }, tokens)).toMatchObject({ code, details })
})
