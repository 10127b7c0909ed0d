import fc from 'fast-check'

/** A request for a preview: a deposit in dollars, or a withdrawal in LP tokens, both with 18 decimals. */
export type LiquidityRequest = { readonly action: 'deposit' | 'withdraw'; readonly amountRaw: bigint }

/** Dollars up to a hundred million, or LP tokens up to a million; all numbers of digits are equally likely. */
export const arbitraryRequest: fc.Arbitrary<LiquidityRequest> = fc.oneof(
  fc.record({ action: fc.constant('deposit'), amountRaw: ofAnySize(26) }),
  fc.record({ action: fc.constant('withdraw'), amountRaw: ofAnySize(24) }),
)

function ofAnySize(digits: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: 1, max: digits })
    .chain((length) => fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) - 1n }))
}
