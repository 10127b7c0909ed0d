import type { PermitRefusal } from './permitRefusals.ts'

/** What the service documents about an error code. */
export type CatalogueEntry = {
  readonly status: number
  readonly title: string
  /** Whether the same request can succeed later. */
  readonly retryable: boolean
  /** What the caller should do next. */
  readonly action: 'requote' | 'wait' | 'fix_input' | 'fund' | 'approve' | 'retry'
  readonly details: readonly (keyof DetailTypes)[]
  /**
   * The details that an error omits if their values are unknown, as when a pool reverts with a message alone; the transaction
   * hash is known to broadcasts only.
   */
  readonly optional?: readonly (keyof DetailTypes)[]
}

/** The types of the fields that errors have besides the common ones. */
export type DetailTypes = {
  readonly oracle: string
  readonly updatedAt: string
  readonly maxAgeSeconds: number
  readonly amountIn: string
  readonly maxAmountIn: string
  readonly nearestAmountIn: string
  readonly amountOut: string
  readonly minAmountOut: string
  readonly required: string
  readonly current: string
  readonly nextClaimAt: string
  readonly expiresAt: string
  /** When a closed market opens. */
  readonly opensAt: string
  /** What the quote fixes, as text. */
  readonly expected: string
  /** What the request or the transaction has instead, as text. */
  readonly actual: string
  readonly retryAfterSeconds: number
  readonly token: string
  /** Of a broadcast transaction, which may be mined in spite of the error. */
  readonly transactionHash: string
  readonly reason: PermitRefusal
  readonly field: string
  readonly value: unknown
  readonly revert: { readonly name: string; readonly args: readonly string[] }
}
