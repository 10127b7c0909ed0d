import { AgioError, type SuccessfulReceipt } from '@agio/sdk'
import { describe, expect, it } from 'vitest'
import type { Outlook } from './toOutlook.ts'
import { findWinner } from './findWinner.ts'
import { pending, toStep } from './testSteps.ts'

const [first, second] = ['0x01', '0x02'] as const
const waiting = toStep({ kind: 'confirm', status: 'needed', transactionHash: first }, { pending })
const spedUp = toStep({
  kind: 'confirm',
  status: 'sent',
  transactionHash: second,
  replaced: first,
  replacement: 'speed-up',
})
const toDone = (transactionHash: `0x${string}`): Outlook => ({
  kind: 'done',
  receipt: { transactionHash } as Partial<SuccessfulReceipt> as SuccessfulReceipt,
})
const toReplaced = (kind?: string): Outlook => ({
  kind: 'failed',
  code: 'convert/replaced',
  next: 'requote',
  error: { code: 'convert/replaced', details: { transactionHash: first, replacedBy: second, kind } },
})
const alreadyMined = new AgioError('svc/already-mined', 'Mined', {
  details: {},
  retryable: false,
  action: 'fix_input',
})

describe('readWinner', () => {
  it('a conversion with one transaction has no winner', () => {
    expect(findWinner({ steps: [waiting] }, toDone(first), {})).toBeUndefined()
    expect(findWinner({ steps: [waiting] }, { kind: 'running', isAsking: false }, {})).toBeUndefined()
    const refused = { kind: 'cancel', phase: 'failed', error: new Error('Refused') } as const
    expect(findWinner({ steps: [waiting] }, toDone(first), { [first]: refused })).toBeUndefined()
  })

  it('a speed-up that was mined is named with the transaction that it replaced', () => {
    const winner = { kind: 'speed-up', transactionHash: second, loser: first }
    expect(findWinner({ steps: [waiting, spedUp] }, toDone(second), {})).toEqual(winner)
  })

  it('a transaction that was mined although it was sped up is the original', () => {
    const back = toStep({
      kind: 'confirm',
      status: 'sent',
      transactionHash: first,
      replaced: second,
      replacement: 'speed-up',
    })
    const sent = { kind: 'speed-up', phase: 'sent', sent: { kind: 'speed-up', transactionHash: second } } as const
    const winner = { kind: 'original', transactionHash: first, late: 'speed-up', loser: second }
    expect(findWinner({ steps: [waiting, spedUp, back] }, toDone(first), { [first]: sent })).toEqual(winner)
  })

  it('a transaction that was mined before its replacement is named with that one, if it was sent', () => {
    const original = { kind: 'original', transactionHash: first, late: 'cancel' }
    const sent = { kind: 'cancel', phase: 'sent', sent: { kind: 'cancel', transactionHash: second } } as const
    const late = { kind: 'cancel', phase: 'failed', error: alreadyMined } as const
    expect(findWinner({ steps: [waiting] }, toDone(first), { [first]: sent })).toEqual({ ...original, loser: second })
    expect(findWinner({ steps: [waiting] }, toDone(first), { [first]: late })).toEqual(original)
  })

  it.each([
    ['cancel', 'cancel'],
    ['same-intent', 'other'],
    [undefined, 'other'],
  ])('a conversion that ended by a replacement of kind %s names it', (kind, expected) => {
    const winner = { kind: expected, transactionHash: second, loser: first }
    expect(findWinner({ steps: [waiting] }, toReplaced(kind), {})).toEqual(winner)
  })
})
