import type { Metrics } from '@agio/api'
import { Counter, Histogram, type Registry } from 'prom-client'

const events = ['issued', 'built', 'mined', 'expired'] as const

const basisPoint = 0.0001

// The upper bounds of the histogram's buckets, in basis points.
const boundsBps = [-100, -10, -5, -1, 0, 1, 2, 5, 10, 50, 100, 500]

/**
 * Creates the metrics of quotes. A quote counts once for each event, even if it is built or its receipt is read
 * repeatedly. This holds while the quote is among the last remembered observations.
 *
 * @param maxRemembered how many observations are remembered; 50,000 by default
 */
export function createQuoteMetrics(registry: Registry, maxRemembered = 50_000): Metrics['observeQuote'] {
  const registers = [registry]
  const quotes = new Counter({
    name: 'agio_quotes_total',
    help: 'Quotes by event: issued, built, mined, and expired for a quote that was used after its expiry. A quote counts once per event and process',
    labelNames: ['event'],
    registers,
  })
  const slippage = new Histogram({
    name: 'agio_quote_slippage_ratio',
    help: 'How much less than quoted a mined quote received per unit paid. 0.0001 is one basis point. Negative if it received more',
    buckets: boundsBps.map((bps) => bps * basisPoint),
    registers,
  })
  for (const event of events) quotes.inc({ event }, 0)
  const isFirst = createRecentTexts(maxRemembered)
  return (observation) => {
    const { event, quote } = observation
    // The signature identifies the quote.
    if (event !== 'issued' && !isFirst(`${event} ${quote.slice(-43)}`)) return
    quotes.inc({ event })
    if (event === 'mined') slippage.observe(observation.slippageBps * basisPoint)
  }
}

/** Returns a function that returns whether a text is not among the last remembered texts. */
function createRecentTexts(size: number): (text: string) => boolean {
  const remembered = new Set<string>()
  return (text) => {
    if (remembered.has(text)) return false
    remembered.add(text)
    const [oldest] = remembered.size > size ? remembered : []
    if (oldest !== undefined) remembered.delete(oldest)
    return true
  }
}
