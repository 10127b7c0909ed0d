import { TransactionState } from '@agio/core'
import type { z } from 'zod'
import type { trackResponse } from './trackResponse.ts'

/** Where a transaction is, as `transaction/track` returns it. */
export type Tracked = z.output<typeof trackResponse>

/**
 * Lists a response for each transition of a transaction since its previous state, in order. The last of them is the present one.
 *
 * Without a previous state, only the present response is listed.
 */
export function listTransitions(
  previous: TransactionState.TransactionState | undefined,
  tracked: Tracked,
): readonly Tracked[] {
  return TransactionState.transitions(previous, TransactionState.from(tracked)).map(({ status }) => {
    const isEarlier = status !== tracked.status && (status === 'included' || status === 'safe')
    return isEarlier ? toEarlier(tracked, status) : tracked
  })
}

/** Returns the response of an earlier time, in the same block. What proves that it is finalized also proves that it is safe. */
function toEarlier({ finalityProof, ...tracked }: Tracked, status: 'included' | 'safe'): Tracked {
  const proof = status === 'safe' && finalityProof ? { finalityProof } : {}
  return { ...tracked, status, finality: status, ...proof }
}
