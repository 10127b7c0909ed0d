import type { AgioErrorAction, AgioErrorCode, Step, StepError } from '@agio/sdk'
import { describe, expect, it } from 'vitest'
import type { PageConversion } from './PageConversion.ts'
import { toOutlook } from './toOutlook.ts'
import { StorageError } from './storedSteps.ts'
import { pending, quote, toStep } from './testSteps.ts'

function read(step: Step | undefined, change: Partial<PageConversion> = {}) {
  return toOutlook({ id: 'id', quote, steps: step ? [step] : [], phase: 'idle', ...change })
}

function toFailed(code: AgioErrorCode, action: AgioErrorAction): Step {
  const error = { code, action, message: '', details: {}, retryable: false } as unknown as StepError
  return toStep({ kind: 'convert', status: 'failed', error })
}

const asking = toStep({ kind: 'convert', status: 'waiting-for-wallet' }, { pending })

describe('readOutlook', () => {
  it('a paused conversion says whether it may have sent a transaction', () => {
    expect(read(asking)).toEqual({ kind: 'paused', isSettled: false, isSent: false })
    expect(read(toStep({ kind: 'convert', status: 'needed' }))).toEqual({
      kind: 'paused',
      isSettled: true,
      isSent: false,
    })
  })

  it.each([
    ['wallet/rejected', 'retry', 'retry'],
    ['svc/stale-price', 'wait', 'retry'],
    ['svc/insufficient-balance', 'fund', 'retry'],
    ['svc/below-min-target', 'requote', 'requote'],
    ['network/unreachable', 'resume', 'resume'],
    ['convert/aborted', 'retry', 'resume'],
    ['svc/invalid-request', 'fix_input', 'none'],
  ] as const)('after %s with the action %s comes %s', (code, action, next) => {
    expect(read(toFailed(code, action))).toMatchObject({ kind: 'failed', code, next })
  })

  it('a transaction that was mined and reverted is final, for any code', () => {
    const frozen = toFailed('svc/pool-frozen', 'wait')
    expect(read(frozen)).toMatchObject({ next: 'retry' })
    expect(read({ ...frozen, state: { ...frozen.state, pending } })).toMatchObject({ next: 'requote' })
  })

  it('a conversion that is stopped at a permit is settled, and after sending it is not', () => {
    expect(read(toFailed('convert/aborted', 'retry'))).toMatchObject({ isSettled: true })
    const sent = toFailed('convert/aborted', 'resume')
    expect(read({ ...sent, state: { ...sent.state, pending } })).toMatchObject({ isSettled: false })
  })

  it('a conversion that could not be stored can be resumed, if it has started', () => {
    const error = new StorageError('full')
    expect(read(asking, { error })).toMatchObject({ kind: 'failed', code: 'page/storage-refused', next: 'resume' })
    expect(read(toStep({ kind: 'convert', status: 'needed' }), { error })).toMatchObject({ next: 'retry' })
    expect(read(undefined, { error })).toMatchObject({ next: 'none' })
  })

  it('a step that this version cannot resume has no next action', () => {
    expect(read(asking, { error: { code: 'convert/invalid-step' } })).toMatchObject({ next: 'none' })
  })

  it('an error without a code is shown', () => {
    expect(read(asking, { error: new TypeError('Broken') })).toMatchObject({ code: 'page/failed', next: 'resume' })
  })
})
