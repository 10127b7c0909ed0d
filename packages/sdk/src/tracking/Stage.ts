import type { Finality, TrackedTransaction, TransactionReplacement } from '../api/schemas.ts'

/** The stage of a transaction, as far as the SDK needs it. The service distinguishes more states. */
export type Stage =
  | { readonly status: 'pending' | 'reorged' | 'dropped' }
  /** It succeeded or failed. */
  | { readonly status: 'mined'; readonly finality: Finality }
  /** `replacement` is undefined if the code of the account used the nonce. */
  | { readonly status: 'replaced'; readonly replacement: TransactionReplacement | undefined }

/** Returns the stage of a transaction from a response of the service. */
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

/** Returns whether this is the last stage that the service reports. */
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
