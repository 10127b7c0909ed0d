import type { ConversionReceipt } from '../api/schemas.ts'

/** The receipt of a successful conversion. The fields that a success always has are required. */
export type SuccessfulReceipt = Omit<ConversionReceipt, RequiredField | 'status' | 'failure'> & {
  readonly status: 'success'
  /** Whose node has the transaction: the node of the wallet, or a node of the option `nodes`. */
  readonly verifiedBy: 'wallet' | 'node'
} & { readonly [Field in RequiredField]: NonNullable<ConversionReceipt[Field]> }

// Other fields may be missing even after a success: they need the prices of the execution, or only some nodes return
// them.
type RequiredField =
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
