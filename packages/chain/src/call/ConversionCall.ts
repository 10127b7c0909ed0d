import type { Address } from '@agio/core'
import type { Hex } from 'viem'

/**
 * The amounts of a conversion, in raw units: an exact input with the smallest output, or an exact output with the
 * largest input.
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
  /** The account that is paid; the caller if undefined. A call with a permit always sets it. */
  readonly recipient?: Address | undefined
  readonly deadlineSeconds: bigint
  /** The permit, for a router that has `IPermitRouter`; undefined for a call that an allowance pays. */
  readonly permit?: CallPermit | undefined
}

/**
 * The signature that pays a conversion by a router instead of an allowance: an EIP-2612 permit, or a signature for
 * Permit2.
 */
export type CallPermit =
  | {
      readonly kind: 'permit'
      /** The allowance that the permit sets, in raw units. */
      readonly amountRaw: bigint
      /** Unix seconds. The permit expires then. The deadline of the conversion is separate. */
      readonly deadlineSeconds: bigint
      readonly signature: Hex
    }
  | {
      readonly kind: 'permit2'
      /** The digest of the quote, which is also the nonce. */
      readonly quoteDigest: Hex
      readonly signature: Hex
    }
