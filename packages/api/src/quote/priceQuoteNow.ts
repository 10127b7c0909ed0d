import type { Chain, Snapshot } from '@agio/chain'
import { findPool, ServiceError, toHop, type ConversionRoute, type ErrorCode } from '@agio/core'
import type { QuoteTerms } from './QuoteTerms.ts'

/**
 * Prices the execution of a quote at the newest block: what its input pays now, or what its output costs now. Undefined if a
 * pool has left the deployment or its view cannot be read.
 *
 * @throws what `Chain.conversions.quote` and `Chain.conversions.quoteExactOut` throw where a pool refuses the conversion
 */
export async function priceQuoteNow(
  chain: Chain,
  snapshot: Snapshot,
  terms: QuoteTerms,
): Promise<MarketNow | undefined> {
  const route = findQuotedRoute(snapshot, terms)
  if (!route) return undefined
  try {
    return terms.execution === 'target-swap'
      ? await priceInput(chain, snapshot, { route, terms })
      : await priceOutput(chain, snapshot, { route, terms })
  } catch (error) {
    if (error instanceof ServiceError && inconclusive.has(error.code)) return undefined
    throw error
  }
}

/** A quote against the market, with amounts in raw units. */
export type MarketNow = {
  /** `in`: what the output of the quote costs now; `out`: what its input pays now. */
  readonly side: 'in' | 'out'
  /** That amount. */
  readonly nowRaw: bigint
  /** The same, or the least that executing it can pay now. */
  readonly executedRaw: bigint
  /** What it may cost, or must pay. */
  readonly limitRaw: bigint
  readonly isWithinLimit: boolean
}

type Subject = { readonly route: ConversionRoute; readonly terms: QuoteTerms }

const inconclusive: ReadonlySet<ErrorCode> = new Set([
  'svc/reverted',
  'svc/upstream-error',
  'svc/upstream-unavailable',
  'svc/upstream-timeout',
])

function findQuotedRoute({ pools }: Snapshot, { hops }: QuoteTerms): ConversionRoute | undefined {
  const route = hops.flatMap(({ pool: address, tokenIn, tokenOut }) => {
    const pool = findPool(pools, address)
    return pool ? toHop(pool, tokenIn, tokenOut) : []
  })
  const [first, ...others] = route
  return first && route.length === hops.length ? [first, ...others] : undefined
}

async function priceInput(chain: Chain, snapshot: Snapshot, { route, terms }: Subject): Promise<MarketNow> {
  const { amountInRaw } = await chain.conversions.quoteExactOut(snapshot, {
    route,
    amountOutRaw: BigInt(terms.amountOut),
  })
  const limitRaw = BigInt(terms.limit)
  return { side: 'in', nowRaw: amountInRaw, executedRaw: amountInRaw, limitRaw, isWithinLimit: amountInRaw <= limitRaw }
}

async function priceOutput(chain: Chain, snapshot: Snapshot, { route, terms }: Subject): Promise<MarketNow> {
  const quoted = await chain.conversions.quote(snapshot, { route, amountInRaw: BigInt(terms.amountIn) })
  const { amountOutRaw, worstCaseOutRaw } = quoted
  // An exact output that is swapped as an exact input has that output as its minimum.
  const limitRaw = BigInt(terms.mode === 'exact-in' ? terms.limit : terms.amountOut)
  const isWithinLimit = worstCaseOutRaw >= limitRaw
  return { side: 'out', nowRaw: amountOutRaw, executedRaw: worstCaseOutRaw, limitRaw, isWithinLimit }
}
