import {
  getMarketHours,
  isPriceFresh,
  listSchedules,
  toTimestamp,
  type ChainId,
  type PoolSide,
  type PoolState,
} from '@agio/core'
import type { MarketTradability, WebhookEvent } from '@agio/store'
import type { Snapshot } from '@agio/chain'
import { formatEvent, type MarketEvent } from './events.ts'

/** The state of a market at a block, with the content of its event. */
export type ObservedMarket = {
  readonly chainId: ChainId
  readonly pool: PoolState['address']
  readonly state: MarketTradability
  readonly blockNumber: bigint
  /** Returns the event of the change from another state. */
  readonly toEvent: (from: MarketTradability, nowMs: number) => WebhookEvent
}

/** Returns the state of each market of a snapshot. */
export function observeMarkets({ pools, block }: Snapshot, chainId: ChainId): readonly ObservedMarket[] {
  return pools.map((pool) => {
    const stale = [pool.base, pool.quote].find((side) => isStale(side, block.timestampSeconds))
    const state = pool.frozen ? 'frozen' : stale ? 'stale' : 'open'
    const data = {
      chainId,
      poolAddress: pool.address,
      name: `${pool.base.token.symbol}/${pool.quote.token.symbol}`,
      blockNumber: Number(block.number),
      blockTimestamp: toTimestamp(block.timestampSeconds),
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

const types: Readonly<Record<MarketTradability, MarketEvent>> = {
  open: 'market.reopened',
  stale: 'market.stale',
  frozen: 'market.frozen',
}

/** Why a market is open again, by its previous state. */
const reopeningReasons: Readonly<Record<MarketTradability, string>> = {
  open: 'price-updated',
  stale: 'price-updated',
  frozen: 'unfrozen',
}

function isStale({ price }: PoolSide, nowSeconds: bigint): boolean {
  return price.oracle !== null && !isPriceFresh(price, nowSeconds)
}

/** Returns why a price is stale: its market is closed, or its oracle has not updated the price. */
function toStale(pool: PoolState, { price }: PoolSide, nowSeconds: number) {
  const hours = getMarketHours(listSchedules([pool]), nowSeconds)
  const isClosed = hours?.isOpen === false
  return {
    reason: isClosed ? 'market-closed' : 'price-not-updated',
    oracle: price.oracle,
    updatedAt: toTimestamp(price.updatedAtSeconds),
    ...(isClosed && hours.nextOpen !== undefined && { opensAt: toTimestamp(BigInt(hours.nextOpen)) }),
  }
}
