import { Market, Pool, Route, type Address, type Network } from '@agio/core'
import type { Callee } from './chooseCallee.ts'
import type { PricedConversion } from '../quote/priceConversion.ts'
import { toQuotedHops, type QuoteTerms } from '../quote/QuoteTerms.ts'

/**
 * Returns the terms of a priced conversion. The quote expires after its validity, counted from the later of wall clock
 * and head. It expires earlier if an open market of its prices closes before that.
 */
export function toQuoteTerms(
  { route, block, ...priced }: PricedConversion,
  { to, pool }: Callee,
  { nowMs, validForSeconds, ...request }: Options,
): QuoteTerms {
  const issuedAt = Math.max(Math.floor(nowMs / 1000), Number(block.timestampSeconds))
  return {
    version: 1,
    keyId: request.keyId,
    chainId: request.chainId,
    mode: request.mode,
    tokenIn: Route.getOrigin(route).token.address,
    tokenOut: Route.getTarget(route).token.address,
    amountIn: priced.amountInRaw.toString(),
    amountOut: priced.amountOutRaw.toString(),
    limit: priced.limitRaw.toString(),
    execution: priced.execution,
    to,
    pool: pool ?? null,
    recipient: request.recipient ?? null,
    userAddress: request.userAddress ?? null,
    clientReference: request.clientReference ?? null,
    block: { number: Number(block.number), hash: block.hash, timestamp: Number(block.timestampSeconds) },
    hops: toQuotedHops(route),
    issuedAt,
    expiresAt: Math.min(issuedAt + validForSeconds, findClose(route, issuedAt)),
  }
}

type Options = {
  /** The API key that the quote is for. */
  readonly keyId: string
  readonly chainId: Network.ChainId
  readonly mode: QuoteTerms['mode']
  readonly recipient?: Address | undefined
  readonly userAddress?: Address | undefined
  readonly clientReference?: string | undefined
  readonly validForSeconds: number
  /** The wall clock. */
  readonly nowMs: number
}

/**
 * Returns when the markets of a route close next, in Unix seconds; infinity if they are closed, or no close is known.
 */
function findClose(route: PricedConversion['route'], atSeconds: number): number {
  const hours = Market.findHours(Pool.listSchedules(route.map(({ pool }) => pool)), atSeconds)
  return hours?.isOpen === true ? (hours.nextClose ?? Infinity) : Infinity
}
