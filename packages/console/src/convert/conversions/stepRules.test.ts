import { describe, expect, it } from 'vitest'
import { asksNext, hasEnded, isFollowed, isNeededForResume } from './stepRules.ts'
import { pending, quote, toStep } from './testSteps.ts'

const approval = {
  kind: 'approve',
  purpose: 'approve',
  token: quote.tokenIn,
  spender: quote.spender,
  amount: '100',
} as const
const transactionHash = '0x01'
const error = {
  code: 'svc/deadline-passed',
  message: '',
  userMessage: '',
  details: {},
  retryable: false,
  action: 'requote',
} as const
const receipt = { transactionHash } as never

describe('asksNext', () => {
  it('a page that only follows stops before the wallet is asked', () => {
    expect(asksNext(toStep({ kind: 'convert', status: 'needed' }))).toBe(true)
    expect(asksNext(toStep({ kind: 'quote', status: 'needed' }))).toBe(true)
    const switching = { kind: 'switch-chain', status: 'needed', from: 2, to: quote.chainId } as const
    expect(asksNext(toStep(switching, { pending }))).toBe(true)
  })

  it('a pending transaction is followed', () => {
    expect(asksNext(toStep({ kind: 'confirm', status: 'needed' }, { pending }))).toBe(false)
    expect(asksNext(toStep({ ...approval, status: 'done', transactionHash }))).toBe(false)
  })
})

describe('isNeededForResume', () => {
  it('no wallet is asked before the step that says so is stored', () => {
    expect(isNeededForResume(toStep({ kind: 'convert', status: 'needed' }))).toBe(true)
    expect(isNeededForResume(toStep({ kind: 'convert', status: 'waiting-for-wallet' }, { pending }))).toBe(true)
  })

  it('a transaction of the wallet is found from the previous step', () => {
    expect(isNeededForResume(toStep({ kind: 'convert', status: 'sent', transactionHash }, { pending }))).toBe(false)
    expect(isNeededForResume(toStep({ kind: 'confirm', status: 'needed' }, { pending }))).toBe(false)
    expect(isNeededForResume(toStep({ kind: 'convert', status: 'failed', error }))).toBe(false)
  })
})

describe('isFollowed', () => {
  const resumable = { ...error, action: 'resume' } as const
  const unreachable = { ...resumable, code: 'network/unreachable', details: { url: '/' } } as const
  const aborted = { ...resumable, code: 'convert/aborted' } as const

  it('a transaction that may have been sent is followed after a reload, also if the service was unreachable', () => {
    expect(isFollowed(toStep({ kind: 'confirm', status: 'needed' }, { pending }))).toBe(true)
    expect(isFollowed(toStep({ kind: 'confirm', status: 'failed', error: unreachable }, { pending }))).toBe(true)
  })

  it('a conversion that has ended or was stopped by the user is not followed', () => {
    expect(isFollowed(toStep({ kind: 'confirm', status: 'failed', error: aborted }, { pending }))).toBe(false)
    expect(isFollowed(toStep({ kind: 'confirm', status: 'failed', error }))).toBe(false)
    expect(isFollowed(toStep({ kind: 'confirm', status: 'done', transactionHash, receipt }, { pending }))).toBe(false)
  })
})

it('a conversion ends with its receipt or a failure', () => {
  expect(hasEnded(toStep({ kind: 'confirm', status: 'done', transactionHash, receipt }))).toBe(true)
  expect(hasEnded(toStep({ kind: 'quote', status: 'failed', error }))).toBe(true)
  expect(hasEnded(toStep({ ...approval, status: 'done', transactionHash }))).toBe(false)
})
