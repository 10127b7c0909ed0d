import { TransactionState } from '@agio/core'
import { describe, expect, it } from 'vitest'
import { listTransitions, type Tracked } from './trackResponse.ts'

const finalityProof = {
  by: 'tag',
  blockNumber: 9,
  blockHash: '0x',
  blockTimestamp: '2026-11-21T05:00:00.000Z',
} as const
const track = (fields: Partial<Tracked>) => ({ transactionHash: '0x', chainId: 84532, ...fields }) as Tracked
const mined = (status: 'included' | 'safe' | 'finalized') => {
  return track({ status, finality: status, ...(status !== 'included' && { finalityProof }) })
}
const failed = (finality: Tracked['finality']) => track({ status: 'failed', finality })
const reorged = track({ status: 'reorged' })
const pending = track({ status: 'pending', visible: true })
const replaced = (finality: Tracked['finality'], transactionHash = '0x1') =>
  track({ status: 'replaced', replacement: { transactionHash, finality, status: 'success' } as never })
const parse = TransactionState.parseEventId

describe('listTransitions', () => {
  it('an earlier step has the finality of that time, and the block that proves the last one only where it proves it', () => {
    const [included, safe, finalized] = listTransitions(parse('pending'), mined('finalized'))
    expect(included).toEqual(track({ status: 'included', finality: 'included' }))
    expect(safe).toMatchObject({ finality: 'safe', finalityProof })
    expect(finalized).toEqual(mined('finalized'))
  })
})

it('a transaction is settled once nothing can change it, and not before', () => {
  const settled = [mined('finalized'), failed('finalized'), replaced('finalized'), track({ status: 'replaced' })]
  const isSettled = (tracked: Tracked) => TransactionState.isSettled(TransactionState.from(tracked))
  for (const tracked of [...settled, track({ status: 'dropped' })]) expect(isSettled(tracked)).toBe(true)
  const moved = track({ status: 'reorged', finality: 'finalized' })
  for (const tracked of [pending, reorged, moved, mined('safe'), failed('safe'), replaced('safe')]) {
    expect(isSettled(tracked), JSON.stringify(tracked)).toBe(false)
  }
})
