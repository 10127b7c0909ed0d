import { Market, Pool, type Route } from '@agio/core'
import { z } from 'zod'
import { marketStates } from '../schema/fields.ts'

/** Whether the markets of a conversion are open, in a response. */
export const marketState = z.enum(marketStates).meta({
  description:
    'Whether the markets of the prices are open at that block. Absent if their hours are unknown. Conversions continue while a market is closed, but its prices may become stale',
  example: 'open',
})

/**
 * Returns the response field that says whether the markets of a route are open at a time. Returns no field if their
 * hours are unknown.
 */
export function toMarketState(route: Route.Route, atSeconds: bigint): { readonly market?: 'open' | 'closed' } {
  const schedules = Pool.listSchedules(route.map(({ pool }) => pool))
  const isOpen = Market.areOpen(schedules, Number(atSeconds))
  return isOpen === undefined ? {} : { market: isOpen ? 'open' : 'closed' }
}
