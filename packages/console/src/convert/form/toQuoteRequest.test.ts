import { expect, it } from 'vitest'
import { defaultSlippageBps } from '../quote/slippage.ts'
import { toQuoteRequest } from './toQuoteRequest.ts'

const entered = {
  chainId: 0 as never,
  tokenIn: '0x1',
  tokenOut: '0x2',
  mode: 'exact-in',
  amount: '100',
  slippageBps: defaultSlippageBps,
  userAddress: undefined,
} as const

it('a tolerance is sent if it is not the default, and a wallet if there is one', () => {
  expect(toQuoteRequest({ ...entered, slippageBps: 50, userAddress: '0x3' })).toMatchObject({
    slippageBps: 50,
    userAddress: '0x3',
  })
})
