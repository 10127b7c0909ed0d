import { expect, it, vi } from 'vitest'
import { createAgio } from '../createAgio.ts'
import type { ResumeOptions } from './ConvertOptions.ts'
import type { Step } from './Step.ts'

const [account, other] = [
  '0x00000000000000000000000000000000000000Aa',
  '0x00000000000000000000000000000000000000bb',
] as const
const token = { address: other, symbol: 'tAUD', decimals: 6 }
const terms = { mode: 'exact-in', minAmountOut: '6.500000', tokenIn: token, tokenOut: token, route: [], spender: other }

/** A stored step of a conversion of 10 tokens. */
function store(request: object = {}): Step {
  const asked = { chainId: 84532, tokenIn: other, tokenOut: other, amountIn: '10', ...request }
  const quote = { quote: 'q', chainId: 84532, request: asked, expiresAt: '2026-11-22T10:00:00.000Z', ...terms }
  const state = { version: 1, chainId: 84532, account, quote, fromBlock: 1, refused: [] }
  const conversionId = '5f2d1c3a-9b7e-4a60-8c41-0d2e6f7a8b9c'
  return { conversionId, at: '2026-11-22T10:00:00.000Z', kind: 'quote', status: 'needed', state } as unknown as Step
}

const request = vi.fn(() => Promise.reject(new Error('The wallet is closed')))
const resume = (step: Step, expected: ResumeOptions['expected']) =>
  createAgio({ url: '/agio', contracts: 'service' }).resume(step, { wallet: { request }, expected })

it.each([
  ['amountIn', { amountIn: '10.000001' }, {}],
  ['amountOut', { amountOut: '10' }, {}],
  ['tokenIn', { tokenIn: account }, {}],
  ['chainId', { chainId: 421614 }, {}],
  ['minAmountOut', { minAmountOut: '6.500001' }, {}],
  ['minAmountOut', { minAmountOut: '6.5' }, { minAmountOut: '0.01' }],
  ['recipient', { recipient: other }, {}],
  ['recipient', { amountIn: '10' }, { recipient: other }],
] as const)(
  'error: convert/invalid-step for another %s than expected: %j of %j, and the wallet is not asked',
  (field, expected, given) => {
    const reason = expect.stringContaining(`its ${field} is`)
    const invalid = expect.objectContaining({ code: 'convert/invalid-step', details: { reason } })
    expect(() => resume(store(given), expected)).toThrow(invalid)
    expect(request).not.toHaveBeenCalled()
  },
)

it('a step that is as expected goes on, with amounts and addresses in any form', async () => {
  const tokenIn = other.toUpperCase().replace('X', 'x') as '0x'
  const expected = { chainId: 84532, amountIn: '10.00', minAmountOut: '6.4', tokenIn } as const
  for (const recipient of [undefined, account, account.toLowerCase() as '0x']) {
    await expect(resume(store({ recipient }), { ...expected, recipient })).rejects.toThrow('The wallet is closed')
  }
})

it.each([null, { ...store(), state: undefined }])('error: convert/invalid-step for what is not a step: %j', (step) => {
  expect(() => resume(step as never, {})).toThrow(expect.objectContaining({ code: 'convert/invalid-step' }))
})
