import { type Outlook, pending, toStep } from '@agio/react/internal'
import type { SuccessfulReceipt } from '@agio/sdk'
import { describe, expect, it } from 'vitest'
import { findWinner } from './findWinner.ts'

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
describe('findWinner', () => {
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

  it('a transaction that was mined before its replacement is named with that one', () => {
    const original = { kind: 'original', transactionHash: first, late: 'cancel' }
    const sent = { kind: 'cancel', phase: 'sent', sent: { kind: 'cancel', transactionHash: second } } as const
    expect(findWinner({ steps: [waiting] }, toDone(first), { [first]: sent })).toEqual({ ...original, loser: second })
  })
})
