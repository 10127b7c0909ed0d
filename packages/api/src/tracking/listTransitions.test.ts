import { describe, expect, it } from 'vitest'
import { isSettled, listTransitions, toMarker, type Tracked } from './listTransitions.ts'

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

describe('listTransitions', () => {
  it.each<[string, string | undefined, Tracked, readonly Tracked['status'][]]>([
    ['the present state alone, at first', undefined, mined('finalized'), ['finalized']],
    ['nothing without a change', 'pending', pending, []],
    ['each step since it was pending', 'pending', mined('finalized'), ['included', 'safe', 'finalized']],
    ['each step since it was included', 'included', mined('finalized'), ['safe', 'finalized']],
    ['nothing where a node lags behind', 'safe', mined('included'), []],
    ['nothing where a node lags behind a failure', 'failed-finalized', failed('included'), []],
    ['a failure again once it is final', 'failed-included', failed('finalized'), ['failed']],
    ['each reorganisation', 'reorged', reorged, ['reorged']],
    ['the steps again after a reorganisation', 'reorged', mined('safe'), ['included', 'safe']],
    ['that no node has it any more', 'pending', track({ status: 'pending', visible: false }), ['pending']],
    ['that it is dropped', 'pending-hidden', track({ status: 'dropped' }), ['dropped']],
  ])('a client is told %s', (_, last, tracked, statuses) => {
    expect(listTransitions(last, tracked).map(({ status }) => status)).toEqual(statuses)
  })

  it('an earlier step has the finality of that time, and the block that proves the last one only where it proves it', () => {
    const [included, safe, finalized] = listTransitions('pending', mined('finalized'))
    expect(included).toEqual(track({ status: 'included', finality: 'included' }))
    expect(safe).toMatchObject({ finality: 'safe', finalityProof })
    expect(finalized).toEqual(mined('finalized'))
  })
})

it('a transaction is settled once nothing can change it, and not before', () => {
  const replaced = (finality: Tracked['finality']) => track({ status: 'replaced', replacement: { finality } as never })
  const settled = [mined('finalized'), failed('finalized'), replaced('finalized'), track({ status: 'replaced' })]
  for (const tracked of [...settled, track({ status: 'dropped' })]) expect(isSettled(tracked)).toBe(true)
  for (const tracked of [pending, reorged, mined('safe'), failed('safe'), replaced('safe')]) {
    expect(isSettled(tracked), toMarker(tracked)).toBe(false)
  }
})
