import type { Finality, TrackedTransaction, TransactionReplacement } from '../api/schemas.ts'

/** Where a transaction is, as far as it decides what the SDK does next. The service distinguishes more states. */
export type Stage =
  | { readonly status: 'pending' | 'reorged' | 'dropped' }
  /** It succeeded or failed. */
  | { readonly status: 'mined'; readonly finality: Finality }
  /** No transaction replaced it if the code of its account used the nonce. */
  | { readonly status: 'replaced'; readonly replacement: TransactionReplacement | undefined }

/** Returns where a transaction is by a response of the service. */
export function toStage({ status, finality = 'included', replacement }: TrackedTransaction): Stage {
  switch (status) {
    case 'pending':
    case 'reorged':
    case 'dropped':
      return { status }
    case 'replaced':
      return { status, replacement }
    case 'failed':
      return { status: 'mined', finality }
    default:
      return { status: 'mined', finality: status }
  }
}

/** Returns whether the service reports no other state after this one. */
export function isOver(stage: Stage): boolean {
  switch (stage.status) {
    case 'mined':
      return stage.finality === 'finalized'
    case 'replaced':
      return stage.replacement === undefined || stage.replacement.finality === 'finalized'
    default:
      return stage.status === 'dropped'
  }
}
