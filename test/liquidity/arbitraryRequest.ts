import fc from 'fast-check'

/** What a preview is asked for: a deposit of dollars, or a withdrawal of LP tokens, both with 18 decimals. */
export type Question = { readonly action: 'deposit' | 'withdraw'; readonly amountRaw: bigint }

/** Dollars up to a hundred million, or LP tokens up to a million, each number of digits as likely as another. */
export const arbitraryRequest: fc.Arbitrary<Question> = fc.oneof(
  fc.record({ action: fc.constant('deposit'), amountRaw: ofAnySize(26) }),
  fc.record({ action: fc.constant('withdraw'), amountRaw: ofAnySize(24) }),
)

function ofAnySize(digits: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: 1, max: digits })
    .chain((length) => fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) - 1n }))
}
