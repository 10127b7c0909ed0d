import { TransactionState } from '@agio/core'
import { describe, expect, it } from 'vitest'
import type { TrackedTransaction } from '../../packages/sdk/src/index.ts'
import { isOver, toStage, type Stage } from '../../packages/sdk/src/tracking/Stage.ts'

type Case = {
  /** The fields of a response that determine the state. */
  readonly response: Omit<TransactionState.TrackedFields, 'replacement'> & Pick<TrackedTransaction, 'replacement'>
  readonly state: TransactionState.TransactionState
  readonly stage: Stage
  readonly isSettled: boolean
}

const hash = `0x${'ab'.repeat(32)}` as const
const replacedBy = (finality: TransactionState.Finality) =>
  ({ transactionHash: hash, status: 'success', finality }) as const
const pending = { status: 'pending' } as const
const reorged = { status: 'reorged' } as const
const dropped = { status: 'dropped' } as const

const cases: readonly Case[] = [
  {
    response: { status: 'pending', visible: true },
    state: { status: 'pending', visibility: 'visible' },
    stage: pending,
    isSettled: false,
  },
  {
    response: { status: 'pending', visible: false, contested: false },
    state: { status: 'pending', visibility: 'hidden' },
    stage: pending,
    isSettled: false,
  },
  {
    response: { status: 'pending', visible: false, contested: true },
    state: { status: 'pending', visibility: 'contested' },
    stage: pending,
    isSettled: false,
  },
  {
    response: { status: 'pending' },
    state: { status: 'pending', visibility: 'hidden' },
    stage: pending,
    isSettled: false,
  },
  ...TransactionState.finalities.flatMap((finality): readonly Case[] => {
    const isSettled = finality === 'finalized'
    return [
      {
        response: { status: finality, finality },
        state: { status: finality },
        stage: { status: 'mined', finality },
        isSettled,
      },
      {
        response: { status: 'failed', finality },
        state: { status: 'failed', finality },
        stage: { status: 'mined', finality },
        isSettled,
      },
      {
        response: { status: 'replaced', replacement: replacedBy(finality) },
        state: { status: 'replaced', winner: { finality, hash } },
        stage: { status: 'replaced', replacement: replacedBy(finality) },
        isSettled,
      },
      // It has moved to a block of this finality, and a response that says so follows.
      { response: { status: 'reorged', finality }, state: reorged, stage: reorged, isSettled: false },
    ]
  }),
  {
    response: { status: 'replaced' },
    state: { status: 'replaced', winner: undefined },
    stage: { status: 'replaced', replacement: undefined },
    isSettled: true,
  },
  {
    response: { status: 'reorged', visible: false, contested: false },
    state: reorged,
    stage: reorged,
    isSettled: false,
  },
  { response: dropped, state: dropped, stage: dropped, isSettled: true },
]

describe('the service and the SDK agree about the state of a transaction', () => {
  it('the cases have every status', () => {
    expect(new Set(cases.map(({ response }) => response.status))).toEqual(new Set(TransactionState.statuses))
  })

  it.each(cases)('by $response', ({ response, state, stage, isSettled }) => {
    const tracked = { transactionHash: hash, chainId: 84532, ...response } as const
    expect(TransactionState.from(tracked)).toEqual(state)
    expect(TransactionState.isSettled(state)).toBe(isSettled)
    expect(toStage(tracked)).toEqual(stage)
    expect(isOver(stage)).toBe(isSettled)
  })
})
