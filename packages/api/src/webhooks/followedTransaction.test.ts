import { TransactionState } from '@agio/core'
import { describe, expect, it } from 'vitest'
import { findChange, toPublicStatus } from './followedTransaction.ts'

type Tracked = Parameters<typeof findChange>[1]

const track = (fields: Partial<Tracked>) => ({ transactionHash: '0x', chainId: 1, ...fields }) as Tracked
const pending = track({ status: 'pending', visible: true })
const unseen = track({ status: 'pending', visible: false })
const replacedBy = (transactionHash: string, finality: Tracked['finality']) =>
  track({ status: 'replaced', replacement: { transactionHash, finality, status: 'success' } })

/** The types of events that a series of trackings leads to, and the last state. */
function observe(series: readonly Tracked[]) {
  const events: string[] = []
  let state: Parameters<typeof findChange>[0]
  for (const tracked of series) {
    const change = findChange(state, tracked)
    if (change.event) events.push(change.event.status)
    state = change.state
  }
  return { events, status: toPublicStatus(state), isFinal: state !== undefined && TransactionState.isFinal(state) }
}

const [included, safe, finalized] = (['included', 'safe', 'finalized'] as const).map((status) => track({ status }))
const [failed, finallyFailed] = (['included', 'finalized'] as const).map((finality) =>
  track({ status: 'failed', finality }),
)
const dropped = track({ status: 'dropped' })
const reorged = track({ status: 'reorged' })

describe('the state of a followed transaction', () => {
  it.each<[string, readonly (Tracked | undefined)[], readonly string[], boolean]>([
    ['that is mined', [unseen, pending, included, safe, finalized], ['pending', 'included', 'safe', 'finalized'], true],
    ['that is final at once', [finalized], ['finalized'], true],
    ['that does not change', [pending, pending, included, included], ['pending', 'included'], false],
    ['that a node does not have at times', [pending, unseen, pending, included], ['pending', 'included'], false],
    ['that nodes have never seen', [unseen, unseen], [], false],
    ['that a lagging node shows', [included, safe, included, safe, finalized], ['included', 'safe', 'finalized'], true],
    ['that is reorganised', [included, reorged, included], ['included', 'reorged', 'included'], false],
    ['that is pending again', [included, reorged, pending], ['included', 'reorged', 'pending'], false],
    ['that fails', [failed, failed, finallyFailed], ['failed', 'failed'], true],
    ['that fails, on a lagging node', [failed, finallyFailed, failed], ['failed', 'failed'], true],
    ['that has failed for good at once', [finallyFailed], ['failed'], true],
    ['that is replaced', [replacedBy('0x1', 'safe'), replacedBy('0x1', 'finalized')], ['replaced', 'replaced'], true],
    ['that others replace', [replacedBy('0x1', 'safe'), replacedBy('0x2', 'safe')], ['replaced', 'replaced'], false],
    ['that is dropped', [pending, dropped, unseen, dropped], ['pending', 'dropped'], false],
    ['that is dropped by a lagging node', [pending, dropped, included], ['pending', 'dropped', 'included'], false],
  ])('a transaction %s has its events once each', (_, series, events, isEnded) => {
    const observed = observe(series.filter((tracked) => tracked !== undefined))
    expect(observed.events).toEqual(events)
    expect(observed.isFinal).toBe(isEnded)
  })

  it('the public status of a state is the status of the tracking, and undefined before a node had the transaction', () => {
    expect(observe([replacedBy('0x1', 'safe')]).status).toBe('replaced')
    expect(observe([finallyFailed as Tracked]).status).toBe('failed')
    expect(observe([unseen]).status).toBeUndefined()
  })
})
