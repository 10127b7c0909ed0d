import type { TrackedTransaction } from '@agio/sdk'

/**
 * How final the receipt of a conversion is. `confirming`: its block can still be removed. `reorganised`: the chain has removed
 * its block, and the transaction may be mined again. `reverted`: it was mined again and reverted. `gone`: another transaction
 * took its place, or its deadline has passed.
 */
export type Finality =
  | {
      readonly kind: 'confirming'
      /** How many blocks confirm it, and how many make it final. Absent if unknown. */
      readonly confirmations?: { readonly count: number; readonly required: number } | undefined
    }
  | { readonly kind: 'final' | 'reorganised' | 'reverted' | 'gone' }

/** Returns how final the receipt of a transaction is that had succeeded. */
export function toFinality({ status, confirmations }: Pick<TrackedTransaction, 'status' | 'confirmations'>): Finality {
  switch (status) {
    case 'included':
    case 'safe':
      return { kind: 'confirming', confirmations }
    case 'finalized':
      return { kind: 'final' }
    case 'failed':
      return { kind: 'reverted' }
    case 'replaced':
    case 'dropped':
      return { kind: 'gone' }
    default:
      return { kind: 'reorganised' }
  }
}

/** Returns whether the chain still has the receipt. */
export function isInChain(finality: Finality | undefined): boolean {
  return finality === undefined || finality.kind === 'confirming' || finality.kind === 'final'
}

/** Names a finality: `Confirming 1 of 11`. */
export function nameFinality(finality: Finality): string {
  if (finality.kind !== 'confirming') return names[finality.kind]
  const { confirmations } = finality
  return confirmations ? `Confirming ${confirmations.count} of ${confirmations.required}` : 'Confirming'
}

const names = {
  final: 'Final',
  reorganised: 'Reorganised',
  reverted: 'Reorganised, then reverted',
  gone: 'Reorganised, then replaced',
} as const
