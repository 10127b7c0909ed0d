import { describe, expect, it } from 'vitest'
import { hasSentNothing, isAccountOf, isFollowed } from './stepRules.ts'
import { pending, toStep } from './testSteps.ts'

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

it('a refused conversion is forgotten unless a transaction may have been sent', () => {
  expect(hasSentNothing(toStep({ kind: 'confirm', status: 'failed', error }))).toBe(true)
  expect(hasSentNothing(toStep({ kind: 'confirm', status: 'failed', error }, { pending }))).toBe(false)
  expect(hasSentNothing(toStep({ kind: 'confirm', status: 'needed' }))).toBe(false)
})

const account = '0xAb00000000000000000000000000000000000003'
const needed = { kind: 'convert', status: 'needed' } as const

it('a conversion is resumed with the account that started it, in any letter case', () => {
  expect(isAccountOf(toStep(needed, { account }), account.toLowerCase())).toBe(true)
  expect(isAccountOf(toStep(needed, { account }), '0x0000000000000000000000000000000000000004')).toBe(false)
})

it('a conversion whose wallet named no account is resumed with any account', () => {
  expect(isAccountOf(toStep(needed, { account: '0x0000000000000000000000000000000000000000' }), account)).toBe(true)
})
