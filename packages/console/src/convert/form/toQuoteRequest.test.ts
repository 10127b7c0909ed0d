import { expect, it } from 'vitest'
import { defaultSettings } from '../quote/useConvertSettings.ts'
import { toQuoteRequest } from './toQuoteRequest.ts'

const entered = {
  chainId: 0 as never,
  tokenIn: '0x1',
  tokenOut: '0x2',
  mode: 'exact-in',
  amount: '100',
  settings: defaultSettings,
  userAddress: undefined,
} as const

it('settings are sent if they are not the default, and a wallet if there is one', () => {
  const settings = { slippageBps: 50, validForSeconds: 300, recipient: '0x4' } as const
  expect(toQuoteRequest({ ...entered, settings, userAddress: '0x3' })).toMatchObject({
    ...settings,
    userAddress: '0x3',
  })
  const request = toQuoteRequest(entered)
  expect(Object.keys(request).toSorted()).toEqual(['amountIn', 'chainId', 'tokenIn', 'tokenOut'])
})
