import { Market, OraclePrice, Pool, Timestamp, type Network, type PriceFault } from '@agio/core'
import type { PoolTradability, WebhookEvent } from '@agio/store'
import type { Snapshot } from '@agio/chain'
import { formatEvent, type MarketEvent } from './events.ts'

/** The state of a pool at a block, with the content of its event. */
export type ObservedPool = {
  readonly chainId: Network.ChainId
  readonly pool: Pool.Pool['address']
  readonly state: PoolTradability
  readonly blockNumber: bigint
  /** Returns the event of the change from another state. */
  readonly toEvent: (from: PoolTradability, nowMs: number) => WebhookEvent
}

/** Returns the state of each pool of a snapshot. */
export function observePools({ pools, block }: Snapshot, chainId: Network.ChainId): readonly ObservedPool[] {
  return pools.map((pool) => {
    const stale = findStale(pool, block.timestampSeconds)
    const state = pool.frozen ? 'frozen' : stale ? 'stale' : 'open'
    const data = {
      chainId,
      poolAddress: pool.address,
      name: `${pool.base.token.symbol}/${pool.quote.token.symbol}`,
      blockNumber: Number(block.number),
      blockTimestamp: Timestamp.fromSeconds(block.timestampSeconds),
    }
    const details = state === 'stale' && stale ? toStale(pool, stale, Number(block.timestampSeconds)) : {}
    return {
      chainId,
      pool: pool.address,
      state,
      blockNumber: block.number,
      toEvent(from, nowMs) {
        const type = types[state]
        const reason = state === 'open' ? reopeningReasons[from] : state
        return { type, payload: formatEvent({ type, data: { ...data, reason, ...details } }, nowMs) }
      },
    }
  })
}

const types: Readonly<Record<PoolTradability, MarketEvent>> = {
  open: 'market.reopened',
  stale: 'market.stale',
  frozen: 'market.frozen',
}

/** Why a pool converts again, by its previous state. */
const reopeningReasons: Readonly<Record<PoolTradability, string>> = {
  open: 'price-updated',
  stale: 'price-updated',
  frozen: 'unfrozen',
}

type Stale = { readonly price: OraclePrice.OraclePrice; readonly fault: PriceFault.PriceFault }

/** Finds a price at which the pool does not convert, with its fault. */
function findStale(pool: Pool.Pool, nowSeconds: bigint): Stale | undefined {
  for (const { price } of [pool.base, pool.quote]) {
    const fault = OraclePrice.findFault(price, nowSeconds)
    if (fault) return { price, fault }
  }
  return undefined
}

/** Why a pool is stale, by the fault of its price. An invalid price has not been updated to a valid one. */
const staleReasons: Readonly<Record<PriceFault.Reason, string>> = {
  age: 'price-not-updated',
  invalid: 'price-not-updated',
  bounds: 'price-out-of-bounds',
  step: 'price-step-too-large',
  sequencer: 'sequencer-down',
  depeg: 'reference-depegged',
}

/** Returns why a price is stale: its market is closed, or the fault of the price. */
function toStale(pool: Pool.Pool, { price, fault }: Stale, nowSeconds: number) {
  const hours = Market.findHours(Pool.listSchedules([pool]), nowSeconds)
  const isClosed = hours?.isOpen === false && fault.reason === 'age'
  return {
    reason: isClosed ? 'market-closed' : staleReasons[fault.reason],
    oracle: fault.feed,
    updatedAt: Timestamp.fromSeconds(price.updatedAtSeconds),
    ...(isClosed && hours.nextOpen !== undefined && { opensAt: Timestamp.fromSeconds(BigInt(hours.nextOpen)) }),
  }
}
