import type { Address } from '@agio/core'
import { defineScenario } from '../definition/defineScenario.ts'

const daysPerWeek = 7

/** Closes markets until midnight (UTC) after the next day, without a change of the chain. */
export const marketClosed = defineScenario({
  name: 'market-closed',
  description:
    'Closes the market of a token until midnight (UTC) after tomorrow. Without a symbol, all markets with hours close',
  effect: '`market: closed` in previews and quotes; svc/stale-price has `opensAt` while a price is stale',
  options: {
    symbol: { type: 'name', of: 'oracles', isOptional: true, description: 'the only token whose market is closed' },
  },
  codes: [],
  needsMining: true,
  async inject({ chain, operator, replaceSchedule, onReset }, { symbol }) {
    const { timestamp } = await operator.client.getBlock()
    const schedule = toClosedWeek(new Date(Number(timestamp) * 1000))
    for (const [name, oracle] of Object.entries(chain.oracles)) {
      if (symbol === undefined ? !hasHours(chain.deployment.feeds?.[oracle]) : name !== symbol) continue
      closeMarket(oracle)
    }
    // The next block has the new hours.
    await operator.client.mine({ blocks: 1 })

    function closeMarket(oracle: Address): void {
      onReset(() => replaceSchedule(oracle, undefined))
      replaceSchedule(oracle, schedule)
    }
  },
})

function hasHours(feed: { readonly schedule?: string | undefined } | undefined): boolean {
  return feed?.schedule !== undefined
}

/** Returns a week in UTC that is closed on the day of a time and on the next day. */
function toClosedWeek(now: Date): string {
  const today = (now.getUTCDay() + 6) % daysPerWeek
  const isClosed = (day: number) => day === today || day === (today + 1) % daysPerWeek
  return `UTC;${Array.from({ length: daysPerWeek }, (_, day) => (isClosed(day) ? 'C' : 'O')).join(',')}`
}
