import type { Address } from '@agio/core'

/**
 * The amounts of a conversion, in raw units: an exact input with the smallest output, or an exact output with the largest
 * input.
 */
export type ConversionAmounts =
  | { readonly mode: 'exact-in'; readonly amountInRaw: bigint; readonly minAmountOutRaw: bigint }
  | { readonly mode: 'exact-out'; readonly maxAmountInRaw: bigint; readonly amountOutRaw: bigint }

/** The arguments of a conversion, by a router or by one pool. */
export type ConversionCall = ConversionAmounts & {
  readonly target: 'router' | 'pool'
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** The token between the two pools of a route; undefined for a pool. */
  readonly quoteToken?: Address | undefined
  /** The account that is paid; the caller if undefined. */
  readonly recipient?: Address | undefined
  readonly deadlineSeconds: bigint
}
