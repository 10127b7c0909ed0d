import { describe, expect, it } from 'vitest'
import { parseStep, isSettled, toStepError, type Step } from './Step.ts'
import { clientError, type AgioError } from '../errors/AgioError.ts'
import type { ConversionState, PendingRequest } from './ConversionState.ts'
import { toResumable } from './startConversion.ts'

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
    ['a list', [step]],
    ['an unknown kind', { ...step, kind: 'bridge' }],
    ['an unknown status', { ...step, status: 'lost' }],
    ['no quote', { ...step, state: { ...state, quote: undefined } }],
    ['a failure without its error', { ...step, status: 'failed' }],
    ['another version', { ...step, state: { ...state, version: 2 } }],
    ['a foreign id', { ...step, conversionId: 'latest' }],
    ['an invalid request', { ...step, state: { ...state, pending: 'convert' } }],
    [
      'a request since no block',
      { ...step, state: { ...state, pending: { kind: 'convert', to: '0x', data: '0x', fromBlock: 54.5 } } },
    ],
    ['half a quote', { ...step, state: { ...state, quote: { ...quote, tokenIn: undefined } } }],
  ])('error: convert/invalid-step for %s', (_, value) => {
    expect(() => parseStep(value)).toThrow(expect.objectContaining({ code: 'convert/invalid-step' }))
  })
})

const pending: PendingRequest = { kind: 'convert', to: '0x02', data: '0x03', fromBlock: 1, nonce: 0, pendingNonce: 0 }

function toStep(content: object, state: Partial<ConversionState> = { pending }): Step {
  return { ...content, state } as unknown as Step
}

function toFailed(error: AgioError, state: Pick<ConversionState, 'pending'> = { pending }): Step {
  const resumable = toResumable(state, error) as AgioError
  return toStep({ kind: 'confirm', status: 'failed', error: toStepError(resumable) }, state)
}

const hash = { transactionHash: '0x01' } as const

describe('isSettled', () => {
  it.each([
    ['a quote', toStep({ kind: 'quote', status: 'done' }, {})],
    ['a signature that is asked for', toStep({ kind: 'permit', status: 'waiting-for-wallet' }, {})],
    ['an approval that is mined', toStep({ kind: 'approve', status: 'done' }, {})],
    ['a receipt', toStep({ kind: 'confirm', status: 'done' })],
    ['a refusal', toFailed(clientError('wallet/rejected', 'refused', { method: 'a' }), {})],
    ['a transaction that was replaced', toFailed(clientError('convert/replaced', '', { ...hash, replacedBy: '0x02' }))],
    ['a transaction that was dropped', toFailed(clientError('convert/dropped', '', hash))],
    ['a revert', toStep({ kind: 'confirm', status: 'failed', error: { action: 'requote' }, receipt: {} })],
  ])('no transaction can be pending after %s', (_, step) => {
    expect(isSettled(step)).toBe(true)
  })

  it.each([
    ['a wallet is asked', toStep({ kind: 'convert', status: 'waiting-for-wallet' })],
    ['an approval is sent', toStep({ kind: 'approve', status: 'sent' })],
    ['a transaction is waited for', toStep({ kind: 'confirm', status: 'needed' })],
    ['the service cannot be reached', toFailed(clientError('network/unreachable', '', { url: '/' }))],
    ['the page stopped', toFailed(clientError('convert/aborted', '', hash))],
  ])('a transaction may be pending while %s', (_, step) => {
    expect(isSettled(step)).toBe(false)
  })
})
