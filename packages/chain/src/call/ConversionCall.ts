import type { Address } from '@agio/core'
import type { Hex } from 'viem'

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
  /** The account that is paid; the caller if undefined. Always set in a call with a permit. */
  readonly recipient?: Address | undefined
  readonly deadlineSeconds: bigint
  /** Of a router that has `IPermitRouter`; undefined for a call that an allowance pays. */
  readonly permit?: CallPermit | undefined
}

/** The signature that pays a conversion by a router in place of an allowance: an EIP-2612 permit, or one for Permit2. */
export type CallPermit =
  | {
      readonly kind: 'permit'
      /** The allowance that the permit sets, in raw units. */
      readonly amountRaw: bigint
      /** Unix seconds: the permit is valid until then, which the deadline of the conversion does not change. */
      readonly deadlineSeconds: bigint
      readonly signature: Hex
    }
  | {
      readonly kind: 'permit2'
      /** The digest of the quote, which is also the nonce. */
      readonly quoteDigest: Hex
      readonly signature: Hex
    }
