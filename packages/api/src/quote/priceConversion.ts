import type { Chain, Head, Snapshot } from '@agio/chain'
import { Errors, Slippage, type Route, type Token, Amount } from '@agio/core'
import type { QuoteTerms } from './QuoteTerms.ts'

const defaultSlippageBps = 5

/**
 * Prices a conversion of an exact amount over a route, with the limit that the execution enforces.
 *
 * @throws the errors of `Chain.conversions.priceExactIn` and `Chain.conversions.priceExactOut`; `svc/below-min-target` and
 * `svc/above-max-input` if the market is beyond the limit of the request; `svc/invalid-request` for a tolerance without
 * effect
 */
export async function priceConversion(chain: Chain, snapshot: Snapshot, request: Options): Promise<PricedConversion> {
  const { mode, route, amountRaw } = request
  if (mode === 'exact-in') {
    const { worstCaseOutRaw, ...quoted } = await chain.conversions.priceExactIn(snapshot, {
      route,
      amountInRaw: amountRaw,
    })
    const limitRaw = toMin({ ...quoted, worstCaseOutRaw }, request)
    return { ...quoted, amountInRaw: amountRaw, limitRaw, execution: 'origin-swap' }
  }
  const [quoted, canTargetSwap] = await Promise.all([
    chain.conversions.priceExactOut(snapshot, { route, amountOutRaw: amountRaw }),
    request.canTargetSwap(),
  ])
  const { amountInRaw } = quoted
  const execution = canTargetSwap ? quoted.execution : 'origin-swap'
  return { ...quoted, execution, limitRaw: toMax(amountInRaw, execution, request) }
}

type Options = {
  readonly mode: QuoteTerms['mode']
  readonly route: Route.Route
  /** The exact amount, in raw units of its token. */
  readonly amountRaw: bigint
  /** The tolerance, in basis points. Default: 5. */
  readonly slippageBps: number | undefined
  /**
   * The limit instead of a tolerance, in raw units of its token: the smallest amount to receive, or the largest to
   * pay.
   */
  readonly limit: { readonly raw: bigint; readonly token: Token } | undefined
  /** Whether the called contract can swap for an exact output. */
  readonly canTargetSwap: () => Promise<boolean>
}

/** A priced conversion, with amounts in raw units. */
export type PricedConversion = {
  readonly amountInRaw: bigint
  readonly amountOutRaw: bigint
  /** The smallest output for an exact input, the largest input for an exact output. */
  readonly limitRaw: bigint
  readonly execution: QuoteTerms['execution']
  /** The pools at the block. */
  readonly route: Route.Route
  readonly block: Head
}

type Limits = Pick<Options, 'slippageBps' | 'limit'>

type Output = {
  readonly amountOutRaw: bigint
  /** The least that executing the quote can pay on unchanged pools. */
  readonly worstCaseOutRaw: bigint
}

function toMin(quoted: Output, { limit, slippageBps = defaultSlippageBps }: Limits): bigint {
  if (!limit)
    return Slippage.toMinAmountOut(quoted.amountOutRaw, { slippageBps, worstCaseOutRaw: quoted.worstCaseOutRaw })
  assertAboveMin(quoted, limit.raw, limit.token)
  return limit.raw
}

/**
 * Returns the limit. An exact output that is swapped as an exact input takes exactly that input, and its minimum is the
 * output itself.
 */
function toMax(amountInRaw: bigint, execution: QuoteTerms['execution'], { limit, slippageBps }: Limits): bigint {
  if (limit) assertBelowMax(amountInRaw, limit.raw, limit.token)
  if (execution === 'target-swap')
    return limit?.raw ?? Slippage.toMaxAmountIn(amountInRaw, slippageBps ?? defaultSlippageBps)
  if (slippageBps === undefined) return amountInRaw
  const reason = 'it is not supported for exact-output quotes on this route'
  throw Errors.invalidRequest({ field: 'slippageBps', value: slippageBps, reason })
}

/**
 * Asserts that the conversion pays at least the minimum. The minimum is never lowered.
 *
 * @throws `svc/below-min-target`
 */
export function assertAboveMin({ amountOutRaw, worstCaseOutRaw }: Output, minRaw: bigint, token: Token): void {
  if (worstCaseOutRaw >= minRaw) return
  const { decimals, symbol } = token
  const [amountOut, minAmountOut] = [Amount.format(worstCaseOutRaw, decimals), Amount.format(minRaw, decimals)]
  const verb = worstCaseOutRaw < amountOutRaw ? 'may be' : 'is'
  throw Errors.belowMinTarget({ symbol, verb, amountOut, minAmountOut })
}

/** Asserts that the conversion costs at most the maximum. The maximum is never raised. @throws `svc/above-max-input` */
function assertBelowMax(amountInRaw: bigint, maxRaw: bigint, { decimals, symbol }: Token): void {
  if (amountInRaw <= maxRaw) return
  const [amountIn, maxAmountIn] = [Amount.format(amountInRaw, decimals), Amount.format(maxRaw, decimals)]
  throw Errors.aboveMaxInput({ symbol, amountIn, maxAmountIn })
}
