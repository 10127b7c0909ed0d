import { TransactionState } from '@agio/core'
import { describe, expect, it } from 'vitest'
import type { TrackedTransaction } from '../../packages/sdk/src/index.ts'
import { isOver, toStage, type Stage } from '../../packages/sdk/src/tracking/Stage.ts'

type Case = readonly [
  /** The fields of a response that determine the state. */
  response: Omit<TransactionState.TrackedFields, 'replacement'> & Pick<TrackedTransaction, 'replacement'>,
  state: TransactionState.TransactionState,
  stage: Stage,
  isSettled: boolean,
]

const hash = `0x${'ab'.repeat(32)}` as const
const replacedBy = (finality: TransactionState.Finality) =>
  ({ transactionHash: hash, status: 'success', finality }) as const
const pending = { status: 'pending' } as const
const reorged = { status: 'reorged' } as const
const dropped = { status: 'dropped' } as const
const replaced = { status: 'replaced' } as const

const cases: readonly Case[] = [
  [{ ...pending, visible: true }, { ...pending, visibility: 'visible' }, pending, false],
  [{ ...pending, visible: false, contested: false }, { ...pending, visibility: 'hidden' }, pending, false],
  [{ ...pending, visible: false, contested: true }, { ...pending, visibility: 'contested' }, pending, false],
  [pending, { ...pending, visibility: 'hidden' }, pending, false],
  ...TransactionState.finalities.flatMap((finality): readonly Case[] => {
    const isSettled = finality === 'finalized'
    const [mined, replacement] = [{ status: 'mined', finality } as const, replacedBy(finality)]
    return [
      [{ status: finality, finality }, { status: finality }, mined, isSettled],
      [{ status: 'failed', finality }, { status: 'failed', finality }, mined, isSettled],
      [
        { ...replaced, replacement },
        { ...replaced, winner: { finality, hash } },
        { ...replaced, replacement },
        isSettled,
      ],
      // It has moved to a block of this finality, and a response that says so follows.
      [{ ...reorged, finality }, reorged, reorged, false],
    ]
  }),
  [replaced, { ...replaced, winner: undefined }, { ...replaced, replacement: undefined }, true],
  [{ ...reorged, visible: false, contested: false }, reorged, reorged, false],
  [dropped, dropped, dropped, true],
]

describe('the service and the SDK agree about the state of a transaction', () => {
  it('the cases have every status', () => {
    expect(new Set(cases.map(([{ status }]) => status))).toEqual(new Set(TransactionState.statuses))
  })

  it.each(cases)('by %j', (response, state, stage, isSettled) => {
    const tracked = { transactionHash: hash, chainId: 84532, ...response } as const
    expect(TransactionState.from(tracked)).toEqual(state)
    expect(TransactionState.isSettled(state)).toBe(isSettled)
    expect(toStage(tracked)).toEqual(stage)
    expect(isOver(stage)).toBe(isSettled)
  })
})
