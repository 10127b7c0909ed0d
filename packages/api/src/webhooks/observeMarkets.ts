import { Market, OraclePrice, Pool, Timestamp, type Network } from '@agio/core'
import type { MarketTradability, WebhookEvent } from '@agio/store'
import type { Snapshot } from '@agio/chain'
import { formatEvent, type MarketEvent } from './events.ts'

/** The state of a market at a block, with the content of its event. */
export type ObservedMarket = {
  readonly chainId: Network.ChainId
  readonly pool: Pool.Pool['address']
  readonly state: MarketTradability
  readonly blockNumber: bigint
  /** Returns the event of the change from another state. */
  readonly toEvent: (from: MarketTradability, nowMs: number) => WebhookEvent
}

/** Returns the state of each market of a snapshot. */
export function observeMarkets({ pools, block }: Snapshot, chainId: Network.ChainId): readonly ObservedMarket[] {
  return pools.map((pool) => {
    const stale = [pool.base, pool.quote].find((side) => isStale(side, block.timestampSeconds))
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

function isStale({ price }: Pool.Side, nowSeconds: bigint): boolean {
  return price.oracle !== null && !OraclePrice.isFresh(price, nowSeconds)
}

/** Returns why a price is stale: its market is closed, or its oracle has not updated the price. */
function toStale(pool: Pool.Pool, { price }: Pool.Side, nowSeconds: number) {
  const hours = Market.findHours(Pool.listSchedules([pool]), nowSeconds)
  const isClosed = hours?.isOpen === false
  return {
    reason: isClosed ? 'market-closed' : 'price-not-updated',
    oracle: price.oracle,
    updatedAt: Timestamp.fromSeconds(price.updatedAtSeconds),
    ...(isClosed && hours.nextOpen !== undefined && { opensAt: Timestamp.fromSeconds(BigInt(hours.nextOpen)) }),
  }
}
