/** The limits of one key. */
export type Limits = {
  /** Requests per window. */
  readonly requests: number
  readonly windowSeconds: number
  readonly burstPerSecond: number
  /** Calls per calendar month, UTC. */
  readonly monthlyQuota: number
  /** Streams open at the same time; 10 by default. */
  readonly streams?: number | undefined
}

const defaultStreams = 10

/**
 * The limits of each tier: `perKey` if each key of the tier has its own limits, `none` if the tier is unlimited.
 *
 * The interface specification states two conflicting rates: `standard` is the rate of its Limits section, and `sandbox`
 * is the rate of its pricing terms.
 */
const tiers = {
  standard: { requests: 100, windowSeconds: 900, burstPerSecond: 10, monthlyQuota: 100_000 },
  sandbox: { requests: 100, windowSeconds: 60, burstPerSecond: 10, monthlyQuota: 100_000 },
  staging: { requests: 500, windowSeconds: 60, burstPerSecond: 10, monthlyQuota: 100_000 },
  production: 'perKey',
  local: 'none',
} as const satisfies Record<string, Limits | 'perKey' | 'none'>

/** The name of a tier. */
export type Tier = keyof typeof tiers

/** The names of all tiers. */
export const names = Object.keys(tiers) as readonly Tier[]

/**
 * Returns the limits of a key; undefined if its tier is unlimited.
 *
 * @param keyLimits the key's own limits, for a tier with limits per key; the standard limits by default
 */
export function findLimits(tier: Tier, keyLimits?: Limits): Limits | undefined {
  const limits = tiers[tier]
  if (limits === 'none') return undefined
  return limits === 'perKey' ? (keyLimits ?? tiers.standard) : limits
}

/** Returns how many streams a key may have open at the same time; infinity if its tier is unlimited. */
export function maxStreams(tier: Tier, keyLimits?: Limits): number {
  const limits = findLimits(tier, keyLimits)
  return limits ? (limits.streams ?? defaultStreams) : Infinity
}
