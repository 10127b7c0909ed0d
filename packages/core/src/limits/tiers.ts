/** What a key may do. */
export type Limits = {
  /** Requests per window. */
  readonly requests: number
  readonly windowSeconds: number
  readonly burstPerSecond: number
  /** Calls per calendar month, UTC. */
  readonly monthlyQuota: number
}

/**
 * The limits of each tier. `perKey` means that every key of the tier has its own, `none` that nothing is limited.
 *
 * The written interface gives two rates that conflict: the one of its Limits section is `standard`, the one of its pricing
 * terms `sandbox`.
 */
export const tiers = {
  standard: { requests: 100, windowSeconds: 900, burstPerSecond: 10, monthlyQuota: 100_000 },
  sandbox: { requests: 100, windowSeconds: 60, burstPerSecond: 10, monthlyQuota: 100_000 },
  staging: { requests: 500, windowSeconds: 60, burstPerSecond: 10, monthlyQuota: 100_000 },
  production: 'perKey',
  local: 'none',
} as const satisfies Record<string, Limits | 'perKey' | 'none'>

export type Tier = keyof typeof tiers

/** All tiers. */
export const tierNames = Object.keys(tiers) as readonly Tier[]

/**
 * What a key of a tier may do; undefined if it is not limited.
 *
 * @param own the key's own limits, for a tier that leaves them to the key; the standard ones if it has none
 */
export function limitsOf(tier: Tier, own?: Limits): Limits | undefined {
  const limits = tiers[tier]
  if (limits === 'none') return undefined
  return limits === 'perKey' ? (own ?? tiers.standard) : limits
}
