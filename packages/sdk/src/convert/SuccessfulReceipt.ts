import type { ConversionReceipt } from '../api/schemas.ts'

/** The receipt of a conversion that succeeded, with the fields that it always has. */
export type SuccessfulReceipt = Omit<ConversionReceipt, Present | 'status' | 'failure'> & {
  readonly status: 'success'
} & { readonly [Field in Present]: NonNullable<ConversionReceipt[Field]> }

// What the prices of the execution are needed for may be missing, and so may what only some nodes have.
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

/** Whether a conversion succeeded. */
export function isSuccessful(receipt: ConversionReceipt): receipt is ConversionReceipt & SuccessfulReceipt {
  return receipt.status === 'success'
}
