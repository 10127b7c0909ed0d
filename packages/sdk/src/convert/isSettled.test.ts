import { describe, expect, it } from 'vitest'
import { clientError } from '../errors/clientError.ts'
import type { ConversionState, PendingRequest } from './ConversionState.ts'
import { isSettled } from './isSettled.ts'
import type { Step } from './Step.ts'
import { toResumable } from './toResumable.ts'
import { toStepError } from './toStepError.ts'
import type { AgioError } from '../errors/AgioError.ts'

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
