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

/** Returns how many reads of nodes the calls of a key may have in flight; infinity if its tier is unlimited. */
export function maxReadsInFlight(tier: Tier, keyLimits?: Limits): number {
  const limits = findLimits(tier, keyLimits)
  return limits ? 2 * limits.burstPerSecond : Infinity
}

/** The most node requests of a call, by which budgets are computed: a `transaction.track` that searches for the use of a nonce. */
export const maxCallNodeRequests = 45

/** The node requests for which a poll of a transaction is charged, in a stream or for a webhook. */
export const observationNodeRequests = 5

/** The most node requests of a search for the transaction that used a nonce. A poll that needs one is charged for it too. */
export const searchNodeRequests = 32

/** The growing intervals of the polls of a transaction that no block has decided. Each interval is twice the previous one. */
export const pollIntervals = { firstMissMs: 1000, minMs: 5000, maxMs: 300_000 } as const

/** A poll of a transaction follows each block that includes it or makes it safe or finalized. */
const maxTransitions = 3

/** The most topics of one stream. */
export const maxTopics = 20

/** The most transactions that a key follows for its webhooks, besides the transactions that it broadcasts. */
export const maxFollowed = 1000

// The largest integer of a structured header field, such as `RateLimit-Policy`.
const maxBudget = 999_999_999_999_999

/** The node requests that a key may cause in a window. */
export type NodeBudget = {
  readonly limit: number
  /** The part of the limit that only calls may use. Streams and webhooks share the rest with calls. */
  readonly reserved: number
  readonly windowSeconds: number
}

/**
 * Returns the budget of node requests of a key: the most that its calls, its streams and its webhooks can cause within
 * their limits.
 *
 * @see docs/decisions/0050-node-budget.md
 */
export function toNodeBudget({ requests, windowSeconds, streams = defaultStreams }: Limits): NodeBudget {
  // A window of node requests may contain parts of two windows of calls.
  const reserved = 2 * requests * maxCallNodeRequests
  const countPollsFrom = (firstMs: number) => countPolls(windowSeconds, firstMs) + maxTransitions
  const { firstMissMs, minMs } = pollIntervals
  // The transactions that the calls broadcast are followed too.
  const followed = maxFollowed + 2 * requests
  const polls = streams * maxTopics * countPollsFrom(firstMissMs) + followed * countPollsFrom(minMs)
  return { limit: Math.min(maxBudget, reserved + polls * observationNodeRequests), reserved, windowSeconds }
}

/** Returns how often a transaction that no node has is polled in a window, from the first poll. */
function countPolls(windowSeconds: number, firstMs: number): number {
  const { maxMs } = pollIntervals
  const windowMs = windowSeconds * 1000
  let count = 0
  let [atMs, intervalMs] = [0, firstMs]
  while (atMs < windowMs && intervalMs < maxMs) {
    count += 1
    atMs += intervalMs
    intervalMs = Math.min(maxMs, 2 * intervalMs)
  }
  return count + Math.max(0, Math.ceil((windowMs - atMs) / maxMs))
}
