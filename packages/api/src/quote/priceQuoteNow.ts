import type { Chain, Snapshot } from '@agio/chain'
import { Hop, Pool, ServiceError, type ErrorCode, type Route } from '@agio/core'
import type { QuoteTerms } from './QuoteTerms.ts'

/**
 * Prices the execution of a quote at the newest block: the output of its input, or the cost of its output. Returns
 * undefined if a pool has left the deployment or its view cannot be read.
 *
 * @throws the errors of `Chain.conversions.priceExactIn` and `Chain.conversions.priceExactOut` if a pool refuses the
 * conversion
 */
export async function priceQuoteNow(
  chain: Chain,
  snapshot: Snapshot,
  terms: QuoteTerms,
): Promise<QuoteNow | undefined> {
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

/** A quote compared with current prices, with amounts in raw units. */
export type QuoteNow = {
  /** `in`: the current cost of the quote's output. `out`: the current output of the quote's input. */
  readonly side: 'in' | 'out'
  /** The current amount. */
  readonly nowRaw: bigint
  /** The current amount, or the smallest amount that the execution can pay now. */
  readonly executedRaw: bigint
  /** The limit of the quote: the most that it may cost, or the least that it must pay. */
  readonly limitRaw: bigint
  readonly isWithinLimit: boolean
}

type QuotedRoute = { readonly route: Route.Route; readonly terms: QuoteTerms }

const inconclusive: ReadonlySet<ErrorCode> = new Set([
  'svc/reverted',
  'svc/upstream-error',
  'svc/upstream-unavailable',
  'svc/upstream-timeout',
])

function findQuotedRoute({ pools }: Snapshot, { hops }: QuoteTerms): Route.Route | undefined {
  const route = hops.flatMap(({ pool: address, tokenIn, tokenOut }) => {
    const pool = Pool.find(pools, address)
    return pool ? Hop.from(pool, tokenIn, tokenOut) : []
  })
  const [first, ...others] = route
  return first && route.length === hops.length ? [first, ...others] : undefined
}

async function priceInput(chain: Chain, snapshot: Snapshot, { route, terms }: QuotedRoute): Promise<QuoteNow> {
  const { amountInRaw } = await chain.conversions.priceExactOut(snapshot, {
    route,
    amountOutRaw: BigInt(terms.amountOut),
  })
  const limitRaw = BigInt(terms.limit)
  return { side: 'in', nowRaw: amountInRaw, executedRaw: amountInRaw, limitRaw, isWithinLimit: amountInRaw <= limitRaw }
}

async function priceOutput(chain: Chain, snapshot: Snapshot, { route, terms }: QuotedRoute): Promise<QuoteNow> {
  const quoted = await chain.conversions.priceExactIn(snapshot, { route, amountInRaw: BigInt(terms.amountIn) })
  const { amountOutRaw, worstCaseOutRaw } = quoted
  // The minimum of an exact output that is swapped as an exact input is that output.
  const limitRaw = BigInt(terms.mode === 'exact-in' ? terms.limit : terms.amountOut)
  const isWithinLimit = worstCaseOutRaw >= limitRaw
  return { side: 'out', nowRaw: amountOutRaw, executedRaw: worstCaseOutRaw, limitRaw, isWithinLimit }
}
