import type { CurveState, OraclePrice, PoolState, Pricing } from '@agio/core'
import { zeroAddress } from 'viem'
import type { Feeds } from '../deployment/Deployment.ts'
import type { RawPoolState } from '../reader/createReader.ts'
import type { PoolReading } from './readPoolStates.ts'

export type RawPrice = RawPoolState['basePrice']

/** How a pool is priced, and whether its factory has frozen it. */
export type PricingTerms = {
  readonly pricing: Pricing
  /** For pricing `curve` alone. */
  readonly curve?: CurveState | undefined
  readonly isGloballyFrozen?: boolean
}

type Terms = PricingTerms & {
  /** The maximum age of a price in seconds. */
  readonly toMaxAge: (price: RawPrice) => bigint
}

/** Converts a pool as the Reader contract returns it. */
export function toPoolState({ raw, base, quote }: PoolReading, terms: Terms): PoolState {
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

function toPrice(raw: RawPrice, { toMaxAge }: Terms): OraclePrice {
  return {
    oracle: raw.oracle === zeroAddress ? null : raw.oracle,
    answer: raw.answer,
    updatedAtSeconds: raw.updatedAt,
    maxAgeSeconds: toMaxAge(raw),
  }
}

const defaultMaxAgeSeconds = 3600

/** Creates the maximum ages of prices in seconds: those of the feeds, or those that the pools enforce if they are smaller. */
export function createMaxAges(feeds: Feeds): (price: RawPrice) => bigint {
  return ({ oracle, maxAge }) => {
    const ofFeed = BigInt(feeds[oracle]?.maxAgeSeconds ?? defaultMaxAgeSeconds)
    return maxAge < ofFeed ? maxAge : ofFeed
  }
}
