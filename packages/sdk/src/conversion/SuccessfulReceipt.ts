import type { ConversionReceipt } from '../api/schemas.ts'

/** The receipt of a successful conversion. The fields that a success always has are required. */
export type SuccessfulReceipt = Omit<ConversionReceipt, Present | 'status' | 'failure'> & {
  readonly status: 'success'
} & { readonly [Field in Present]: NonNullable<ConversionReceipt[Field]> }

// Fields that need the prices of the execution may be missing, and so may fields that only some nodes return.
type Present =
  | 'payer'
  | 'recipient'
  | 'tokenIn'
  | 'tokenOut'
  | 'amountIn'
  | 'amountOut'
  | 'executedRate'
  | 'oracleAt'
  | 'blockNumber'
  | 'blockHash'
  | 'blockTimestamp'
  | 'gasUsed'
  | 'confirmations'
  | 'quoted'

/** Returns whether a conversion succeeded. */
export function isSuccessful(receipt: ConversionReceipt): receipt is ConversionReceipt & SuccessfulReceipt {
  return receipt.status === 'success'
}
