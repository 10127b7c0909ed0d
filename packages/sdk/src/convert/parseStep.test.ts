import { describe, expect, it } from 'vitest'
import { parseStep } from './parseStep.ts'

const token = { address: '0x01', symbol: 'tAUD', decimals: 6 }
const quote = {
  quote: 'q',
  expiresAt: '2026-11-22T10:00:00.000Z',
  spender: '0x02',
  mode: 'exact-in',
  tokenIn: token,
  tokenOut: token,
  chainId: 1,
  route: [],
  request: {},
}
const state = { version: 1, chainId: 1, account: '0x03', quote, fromBlock: 1, refused: [] }
const step = {
  conversionId: '5f2d1c3a-9b7e-4a60-8c41-0d2e6f7a8b9c',
  at: '2026-11-22T10:00:00.000Z',
  kind: 'permit',
  status: 'waiting-for-wallet',
  state,
}

describe('parseStep', () => {
  it('a stored step is returned unchanged', () => {
    expect(parseStep(JSON.parse(JSON.stringify(step)))).toEqual(step)
  })

  it.each([
    ['nothing', undefined],
    ['a text', 'step'],
    ['a list', [step]],
    ['an unknown kind', { ...step, kind: 'bridge' }],
    ['an unknown status', { ...step, status: 'lost' }],
    ['no time', { ...step, at: undefined }],
    ['a failure without its error', { ...step, status: 'failed' }],
    ['another version', { ...step, state: { ...state, version: 2 } }],
    ['a foreign id', { ...step, conversionId: 'latest' }],
    ['an invalid request', { ...step, state: { ...state, pending: 'convert' } }],
    ['half a quote', { ...step, state: { ...state, quote: { ...quote, tokenIn: undefined } } }],
  ])('error: convert/invalid-step for %s', (_, value) => {
    expect(() => parseStep(value)).toThrow(expect.objectContaining({ code: 'convert/invalid-step' }))
  })
})
