import { Schedule, type Address, type Curve, type OraclePrice, type Pool } from '@agio/core'
import { zeroAddress } from 'viem'
import type { Feeds } from '../deployment/Deployment.ts'
import type { RawPoolState } from '../reader/decodeResult.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { toPriceFault } from '../revert/toPriceFault.ts'
import type { PoolReading } from './readPoolStates.ts'

type RawPrice = RawPoolState['basePrice']

/** How a pool is priced, and whether its factory has frozen it. */
export type PricingTerms = {
  readonly pricing: Pool.Pricing
  /** Only for the pricing `curve`. */
  readonly curve?: Curve.Curve | undefined
  readonly isGloballyFrozen?: boolean
}

type Terms = PricingTerms & { readonly toFeedTerms: (price: RawPrice) => FeedTerms }

/** Facts about the feed of a price. */
type FeedTerms = Pick<OraclePrice.OraclePrice, 'maxAgeSeconds' | 'heartbeatSeconds' | 'schedule'>

/** Converts a pool as the Reader contract returns it. */
export function toPoolState({ raw, base, quote }: PoolReading, terms: Terms): Pool.Pool {
  const { pricing, curve, isGloballyFrozen = false } = terms
  return {
    address: raw.pool,
    base: { token: base, reserve: raw.baseReserve, price: toPrice(raw.basePrice, terms) },
    quote: { token: quote, reserve: raw.quoteReserve, price: toPrice(raw.quotePrice, terms) },
    totalSupply: raw.totalSupply,
    alpha: raw.alpha,
    epsilon: raw.epsilon,
    frozen: raw.frozen || isGloballyFrozen,
    pricing,
    ...(pricing === 'curve' && { curve }),
  }
}

function toPrice(raw: RawPrice, { toFeedTerms }: Terms): OraclePrice.OraclePrice {
  // Pools of others revert for other reasons, or not at all. Only the age of their prices is checked.
  const fault = raw.fault === '0x' ? undefined : toPriceFault(decodeRevert(raw.fault))
  return {
    oracle: raw.oracle === zeroAddress ? null : raw.oracle,
    answer: raw.answer,
    updatedAtSeconds: raw.updatedAt,
    ...toFeedTerms(raw),
    ...(fault && { fault }),
  }
}

const defaultMaxAgeSeconds = 3600

/**
 * Creates the facts about price feeds. The maximum age is the smaller of the feed's own maximum and the maximum that the
 * pool enforces. The schedule of a feed can be replaced.
 */
export function createFeedTerms(feeds: Feeds) {
  const schedules = new Map<Address, Schedule.Schedule>()
  for (const [oracle, feed] of Object.entries(feeds)) {
    if (feed?.schedule !== undefined) schedules.set(oracle as Address, Schedule.parse(feed.schedule))
  }
  const replaced = new Map<Address, Schedule.Schedule>()
  return {
    get({ oracle, maxAge }: RawPrice): FeedTerms {
      const feed = feeds[oracle]
      const ofFeed = BigInt(feed?.maxAgeSeconds ?? defaultMaxAgeSeconds)
      const schedule = replaced.get(oracle) ?? schedules.get(oracle)
      return {
        maxAgeSeconds: maxAge < ofFeed ? maxAge : ofFeed,
        ...(feed?.heartbeatSeconds !== undefined && { heartbeatSeconds: feed.heartbeatSeconds }),
        ...(schedule && { schedule }),
      }
    },
    /** Replaces the schedule of a feed from the next block on. Undefined restores the schedule of the deployment. */
    replaceSchedule(oracle: Address, schedule: string | undefined): void {
      if (schedule === undefined) replaced.delete(oracle)
      else replaced.set(oracle, Schedule.parse(schedule))
    },
  }
}
