import fc from 'fast-check'

type TokenSymbol = 'tUSD' | 'tAUD' | 'tEUR'

/** An update of a price, in dollars with 8 decimals. */
type Update = { readonly symbol: 'tAUD' | 'tEUR'; readonly answer: bigint }

/** A conversion, by the router or by a pool that holds both tokens. */
type Conversion = {
  readonly from: TokenSymbol
  readonly to: TokenSymbol
  readonly mode: 'exact-in' | 'exact-out'
  /** Raw units of the token that the mode fixes. */
  readonly amountRaw: bigint
  readonly isDirect: boolean
}

/** The contents of a block, in order. */
export type BlockEvent = Update | Conversion

const symbols = ['tUSD', 'tAUD', 'tEUR'] as const

// Of 1 to 11 digits: from dust to a tenth of a pool. All lengths are equally likely.
const amountRaw = fc
  .integer({ min: 1, max: 11 })
  .chain((digits) => fc.bigInt({ min: 10n ** BigInt(digits - 1), max: 10n ** BigInt(digits) - 1n }))

// No conversion deviates from its quote by more than half.
const update: fc.Arbitrary<Update> = fc.oneof(
  fc.record({ symbol: fc.constant('tAUD' as const), answer: fc.bigInt({ min: 60_000_000n, max: 72_000_000n }) }),
  fc.record({ symbol: fc.constant('tEUR' as const), answer: fc.bigInt({ min: 100_000_000n, max: 118_000_000n }) }),
)

const conversion: fc.Arbitrary<Conversion> = fc
  .record({
    pair: fc.shuffledSubarray([...symbols], { minLength: 2, maxLength: 2 }),
    mode: fc.constantFrom('exact-in' as const, 'exact-out' as const),
    amountRaw,
    isDirect: fc.boolean(),
  })
  .map(({ pair: [from = 'tUSD', to = 'tAUD'], isDirect, ...rest }) => ({
    ...rest,
    from,
    to,
    isDirect: isDirect && (from === 'tUSD' || to === 'tUSD'),
  }))

/** Random blocks of six conversions, with price updates between any of them. */
export const arbitraryBlocks: fc.Arbitrary<readonly BlockEvent[]> = fc
  .tuple(
    ...Array.from({ length: 6 }, () =>
      fc.tuple(fc.array(update, { maxLength: 1 }), conversion, fc.array(update, { maxLength: 1 })),
    ),
  )
  .map((groups) => groups.flatMap(([before, swap, after]) => [...before, swap, ...after]))
