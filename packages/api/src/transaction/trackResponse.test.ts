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
  it.each<[string, string | undefined, Tracked, readonly Tracked['status'][]]>([
    ['only the present state, at first', undefined, mined('finalized'), ['finalized']],
    ['nothing without a change', 'pending', pending, []],
    ['each step since it was pending', 'pending', mined('finalized'), ['included', 'safe', 'finalized']],
    ['each step since it was included', 'included', mined('finalized'), ['safe', 'finalized']],
    ['nothing where a node lags behind', 'safe', mined('included'), []],
    ['nothing where a node lags behind a failure', 'failed-finalized', failed('included'), []],
    ['a failure again once it is final', 'failed-included', failed('finalized'), ['failed']],
    ['each reorganisation', 'reorged', reorged, ['reorged']],
    ['the steps again after a reorganisation', 'reorged', mined('safe'), ['included', 'safe']],
    ['that no node has it any more', 'pending', track({ status: 'pending', visible: false }), ['pending']],
    ['nothing where a node lags behind a replacement', 'replaced-safe', replaced('included'), []],
    ['that it is dropped', 'pending-hidden', track({ status: 'dropped' }), ['dropped']],
  ])('a client is told %s', (_, last, tracked, statuses) => {
    expect(listTransitions(last === undefined ? last : parse(last), tracked).map(({ status }) => status)).toEqual(
      statuses,
    )
  })

  it('a client is told of another transaction that takes the place of a replacement, however final that is', () => {
    const previous = TransactionState.from(replaced('included', '0x1'))
    expect(listTransitions(previous, replaced('included', '0x1'))).toEqual([])
    expect(listTransitions(previous, replaced('included', '0x2'))).toEqual([replaced('included', '0x2')])
  })

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
