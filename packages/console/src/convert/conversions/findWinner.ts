import { type Outlook, toFailure } from '@agio/react/internal'
import type { Replacement, ReplacementKind } from './replacements.ts'
import type { PageConversion } from './conversions.ts'

/** The mined transaction among several with the same nonce. */
export type Winner = {
  /** `original` is the transaction that the conversion sent. */
  readonly kind: 'original' | 'speed-up' | 'cancel' | 'other'
  readonly transactionHash: string
  /** The replaced transaction. For an original, the replacement that came too late, if it was sent. */
  readonly loser?: string | undefined
  /** For an original, the kind of the late replacement. */
  readonly late?: ReplacementKind | undefined
}

/**
 * Returns which transaction of a conversion was mined. Returns undefined if there was only one transaction, or if no
 * transaction is mined yet.
 */
export function findWinner(
  { steps }: Pick<PageConversion, 'steps'>,
  outlook: Outlook,
  replacements: Readonly<Record<string, Replacement>>,
): Winner | undefined {
  if (outlook.kind === 'failed') return outlook.code === 'convert/replaced' ? findReplacement(outlook.error) : undefined
  if (outlook.kind !== 'done') return undefined
  const { transactionHash } = outlook.receipt
  const first = steps.find((step) => step.transactionHash !== undefined)?.transactionHash
  for (const step of first === transactionHash ? [] : steps) {
    if (step.kind === 'confirm' && step.status === 'sent' && step.transactionHash === transactionHash)
      return { kind: 'speed-up', transactionHash, loser: step.replaced }
  }
  const { kind: late, sent, error } = replacements[transactionHash] ?? {}
  // A replacement that the user rejected does not count.
  const wasLate = sent !== undefined || toFailure(error).code === 'svc/already-mined'
  return wasLate
    ? { kind: 'original', transactionHash, loser: sent?.transactionHash, late: sent?.kind ?? late }
    : undefined
}

function findReplacement(error: unknown): Winner | undefined {
  const { details } = error as { readonly details: Readonly<Record<string, string | undefined>> }
  const { transactionHash: loser, replacedBy, kind } = details
  return replacedBy === undefined
    ? undefined
    : { kind: kind === 'cancel' ? 'cancel' : 'other', transactionHash: replacedBy, loser }
}
