import type { z } from 'zod'
import type { trackResponse } from './trackResponse.ts'

/** Where a transaction is, as `transaction/track` returns it. */
export type Tracked = z.output<typeof trackResponse>

const steps = ['included', 'safe', 'finalized'] as const

/**
 * Lists what a client has to be told of a transaction: nothing if it is where it was, or each transition since, in order. One that
 * is finalized has been included and safe before, also if nothing has looked in between.
 *
 * @param last the marker of the last event; undefined if there was none: the present state alone is told then
 */
export function listTransitions(last: string | undefined, tracked: Tracked): readonly Tracked[] {
  const step = steps.indexOf(tracked.status as (typeof steps)[number])
  if (last === undefined) return [tracked]
  // A node that lags behind shows that it has failed as less final than it was.
  if (tracked.status === 'failed' && isEarlier(toMarker(tracked), last)) return []
  if (step === -1) return toMarker(tracked) === last && tracked.status !== 'reorged' ? [] : [tracked]
  const told = steps.indexOf(last as (typeof steps)[number])
  return steps
    .slice(told + 1, step + 1)
    .map((status) => (status === 'finalized' || status === tracked.status ? tracked : toEarlier(tracked, status)))
}

/** Whether a failed transaction is less final by one marker than by another. */
function isEarlier(marker: string, last: string): boolean {
  const [one, other] = [marker, last].map((text) => steps.findIndex((step) => text === `failed-${step}`))
  return one !== undefined && other !== undefined && one < other
}

/** Returns what distinguishes a state of a transaction from others: its status, and what may change while it has that. */
export function toMarker({ status, visible, contested, finality, replacement }: Tracked): string {
  if (status === 'pending')
    return contested === true ? 'pending-contested' : visible === false ? 'pending-hidden' : status
  if (status === 'failed') return `failed-${finality ?? 'included'}`
  if (status === 'replaced') return `replaced-${replacement?.finality ?? 'unknown'}`
  return status
}

/** Whether nothing can change a transaction any more. */
export function isSettled({ status, finality, replacement }: Tracked): boolean {
  if (status === 'replaced') return replacement === undefined || replacement.finality === 'finalized'
  return status === 'dropped' || finality === 'finalized'
}

/** An earlier state of a transaction in the same block. What proves that it is finalized proves that it is safe, too. */
function toEarlier({ finalityProof, ...tracked }: Tracked, status: 'included' | 'safe'): Tracked {
  const proof = status === 'safe' && finalityProof ? { finalityProof } : {}
  return { ...tracked, status, finality: status, ...proof }
}
