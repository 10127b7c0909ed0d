import { describe, expect, it } from 'vitest'
import {
  compare,
  finalities,
  finalPattern,
  format,
  formatEventId,
  isFinal,
  from,
  parse,
  parseEventId,
  statuses,
  transitions,
  type TransactionState,
} from './TransactionState.ts'

const hash = `0x${'ab'.repeat(32)}`
const visible = { status: 'pending', visibility: 'visible' } as const
const hidden = { status: 'pending', visibility: 'hidden' } as const
const contested = { status: 'pending', visibility: 'contested' } as const
const [included, safe, finalized] = finalities.map((status) => ({ status })) as [Final, Final, Final]
const reorged = { status: 'reorged' } as const
const dropped = { status: 'dropped' } as const
const replacedByNone = { status: 'replaced', winner: undefined } as const
const failed = (finality: Final['status']) => ({ status: 'failed', finality }) as const
const replaced = (finality: Final['status'], of: string | undefined = hash) =>
  ({ status: 'replaced', winner: { finality, hash: of } }) as const

type Final = { readonly status: (typeof finalities)[number] }

/** Every state, with its text in rows and in ids of events, as the previous release wrote them. */
const texts: readonly (readonly [state: TransactionState, row: string, eventId: string])[] = [
  [visible, 'pending', 'pending'],
  [hidden, 'unseen', 'pending-hidden'],
  [contested, 'unseen', 'pending-contested'],
  [included, 'included', 'included'],
  [safe, 'safe', 'safe'],
  [finalized, 'finalized', 'finalized'],
  [failed('included'), 'failed/included', 'failed-included'],
  [failed('safe'), 'failed/safe', 'failed-safe'],
  [failed('finalized'), 'failed/finalized', 'failed-finalized'],
  [replaced('included'), `replaced/included/${hash}`, 'replaced-included'],
  [replaced('safe'), `replaced/safe/${hash}`, 'replaced-safe'],
  [replaced('finalized'), `replaced/finalized/${hash}`, 'replaced-finalized'],
  [replacedByNone, 'replaced/included/', 'replaced-unknown'],
  [dropped, 'dropped', 'dropped'],
  [reorged, 'reorged', 'reorged'],
]

describe('the text of a state', () => {
  it('every status has one', () => {
    expect([...new Set(texts.map(([{ status }]) => status))]).toEqual(statuses)
  })

  it.each(texts)(
    '%j is %s in a row and %s in the id of an event, as in the previous release',
    (state, row, eventId) => {
      expect(format(state)).toBe(row)
      expect(formatEventId(state)).toBe(eventId)
    },
  )

  it.each(texts)('the pattern of final rows matches the row of %j if it is final', (state, row) => {
    expect(new RegExp(finalPattern).test(row)).toBe(isFinal(state))
  })

  it.each(texts)(
    '%j has no transition since itself, whether that was read from %s or from %s',
    (state, row, eventId) => {
      // Each reorganisation is a transition. Rows have one text for hidden and contested transactions.
      const same = state === reorged ? [reorged] : []
      expect(transitions(parse(row), state)).toEqual(state === contested ? [contested] : same)
      expect(transitions(parseEventId(eventId), state)).toEqual(same)
    },
  )

  it.each(['unknown', '', 'failed', 'failed/later', 'included/safe', 'safe/', 'failed-safe', 'lost'])(
    'the text "%s" of a row is not a state',
    (text) => expect(parse(text)).toBeUndefined(),
  )

  it.each(['unknown', '', 'failed', 'failed-later', 'safe-', 'pending-visible', 'failed/safe', 'unseen'])(
    'the text "%s" of an event id is not a state',
    (text) => expect(parseEventId(text)).toBeUndefined(),
  )
})

describe('from', () => {
  it('a pending transaction whose visibility is unknown is hidden, in rows and in ids of events alike', () => {
    const state = from({ status: 'pending' })
    expect([state, format(state), formatEventId(state)]).toEqual([hidden, 'unseen', 'pending-hidden'])
  })
})

describe('compare', () => {
  it.each([
    [included, safe, -1],
    [finalized, included, 1],
    [safe, safe, 0],
    [failed('included'), failed('safe'), -1],
    [replaced('finalized'), replaced('included'), 1],
    [visible, visible, 0],
    [dropped, dropped, 0],
  ])('%j and %j have one outcome: %d', (one, other, order) => expect(compare(one, other)).toBe(order))

  it.each([
    [included, failed('included')],
    [replaced('included', '0x1'), replaced('safe', '0x2')],
    [replaced('included'), replacedByNone],
    [visible, hidden],
    [visible, included],
    [dropped, reorged],
  ])('%j and %j have different outcomes', (one, other) => {
    expect(compare(one, other)).toBeUndefined()
    expect(compare(other, one)).toBeUndefined()
  })

  it('a replacement whose hash is unknown counts as the same', () => {
    expect(compare({ status: 'replaced', winner: { finality: 'safe' } }, replaced('safe'))).toBe(0)
  })
})

describe('transitions', () => {
  it.each<[string, TransactionState | undefined, TransactionState, readonly TransactionState[]]>([
    ['only the present state at first', undefined, finalized, [finalized]],
    ['each finality of a success', visible, finalized, [included, safe, finalized]],
    ['each finality after the previous one', included, finalized, [safe, finalized]],
    ['each finality after a reorganisation', reorged, safe, [included, safe]],
    ['nothing from a node that lags behind a success', finalized, included, []],
    ['nothing from a node that lags behind a failure', failed('finalized'), failed('included'), []],
    ['nothing from a node that lags behind a replacement', replaced('safe'), replaced('included'), []],
    ['only the failure, at any finality', visible, failed('finalized'), [failed('finalized')]],
    ['another replacement', replaced('safe', '0x1'), replaced('included', '0x2'), [replaced('included', '0x2')]],
    ['each reorganisation', reorged, reorged, [reorged]],
    ['that no node has it any more', visible, hidden, [hidden]],
  ])('a transaction has %s', (_, previous, next, expected) => {
    expect(transitions(previous, next)).toEqual(expected)
  })
})
