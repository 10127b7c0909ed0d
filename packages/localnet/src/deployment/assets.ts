/** The dollar token that pools count in. It has no oracle: it is worth 1 by definition. */
export const referenceAsset = { symbol: 'tUSD', name: 'Test US Dollar' } as const satisfies Asset

/** The tokens that have a pool against the reference token. First prices are dollars with 8 decimals. */
export const foreignAssets = [
  { symbol: 'tAUD', name: 'Test Australian Dollar', feed: { description: 'AUD / USD', firstPrice: 65_120_000n } },
  { symbol: 'tEUR', name: 'Test Euro', feed: { description: 'EUR / USD', firstPrice: 108_450_000n } },
] as const satisfies readonly Asset[]

export type Asset = {
  readonly symbol: string
  readonly name: string
  readonly feed?: { readonly description: string; readonly firstPrice: bigint }
}
