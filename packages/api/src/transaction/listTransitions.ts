import { TransactionState } from '@agio/core'
import type { z } from 'zod'
import type { trackResponse } from './trackResponse.ts'

/** The state of a transaction, as `transaction/track` returns it. */
export type Tracked = z.output<typeof trackResponse>

/**
 * Lists a response for each transition of a transaction since its previous state, in order. The last response is the
 * current state.
 *
 * Without a previous state, lists only the current response.
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

/** Returns the response of an earlier time, in the same block. A proof of `finalized` also proves `safe`. */
function toEarlier({ finalityProof, ...tracked }: Tracked, status: 'included' | 'safe'): Tracked {
  const proof = status === 'safe' && finalityProof ? { finalityProof } : {}
  return { ...tracked, status, finality: status, ...proof }
}
