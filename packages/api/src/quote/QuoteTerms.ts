import { Network, Route, type Address, Errors, type Token, PricedRoute, type Hop } from '@agio/core'
import { z } from 'zod'
import type { Chain } from '@agio/chain'

/**
 * The terms of a quote. The text of the quote contains them, signed. Amounts are decimal strings in raw units. Times
 * are Unix seconds.
 */
export type QuoteTerms = z.infer<typeof schema>

/** One pool of a quoted route, with the prices of the quote: the fields of core's `PricedRoute.Hop`, as JSON. */
type QuotedHop = z.infer<typeof hop>

const raw = z.string().regex(/^(0|[1-9]\d{0,77})$/)
const address = z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value))
const hash = z.custom<`0x${string}`>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value))
const wholeNumber = z.int().min(0)

const hop = z.strictObject({
  pool: address,
  tokenIn: address,
  tokenOut: address,
  /** US dollars per whole token, with eight decimals. */
  tokenInAnswer: raw,
  tokenOutAnswer: raw,
  /** The fee on the output, with 18 decimals. */
  epsilon: raw,
  decimalsIn: wholeNumber.max(255),
  decimalsOut: wholeNumber.max(255),
  pricing: z.enum(['local', 'on-chain']),
})

// The signed JSON has the fields in this order, because zod returns them in the order of the schema.
const schema = z.strictObject({
  version: z.literal(1),
  /** The id of the API key that the quote was issued to. */
  keyId: z.string().min(1).max(64),
  chainId: z.literal(Network.chainIds),
  mode: z.enum(['exact-in', 'exact-out']),
  tokenIn: address,
  tokenOut: address,
  amountIn: raw,
  amountOut: raw,
  /** The smallest output for `exact-in`, the largest input for `exact-out`. */
  limit: raw,
  execution: z.enum(['origin-swap', 'target-swap']),
  /** The contract that the conversion calls. It is also the spender of the allowance. */
  to: address,
  /** The requested pool; null for the route of the router. */
  pool: address.nullable(),
  recipient: address.nullable(),
  userAddress: address.nullable(),
  /** Up to 64 characters, of one or two UTF-16 code units each. */
  clientReference: z.string().max(128).nullable(),
  block: z.strictObject({ number: wholeNumber, hash, timestamp: wholeNumber }),
  hops: z
    .tuple([hop], hop)
    .readonly()
    .refine((hops) => hops.length <= Route.maxHops),
  issuedAt: wholeNumber,
  /** Also the deadline of the calldata. */
  expiresAt: wholeNumber,
})

/** Returns terms as the base64url of their canonical JSON text: fields in the order of the schema, no spaces. */
export function encodeTerms(terms: QuoteTerms): string {
  return Buffer.from(JSON.stringify(schema.parse(terms))).toString('base64url')
}

/** Returns the terms of a payload; undefined unless `encodeTerms` writes exactly this payload for them. */
export function decodeTerms(payload: string): QuoteTerms | undefined {
  const { success, data } = schema.safeParse(parseJson(Buffer.from(payload, 'base64url').toString()))
  return success && encodeTerms(data) === payload ? data : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Asserts that a quote has not expired. A conversion can only be mined before the expiry of its quote.
 *
 * @param headSeconds the time of the newest block
 * @param nowMs the wall clock
 * @throws `svc/quote-expired` once one of the two clocks has reached the expiry
 */
export function assertNotExpired(
  { expiresAt }: Pick<QuoteTerms, 'expiresAt'>,
  { headSeconds, nowMs }: { readonly headSeconds: bigint; readonly nowMs: number },
): void {
  if (headSeconds < BigInt(expiresAt) && nowMs < expiresAt * 1000) return
  throw Errors.quoteExpired({ expiresAtSeconds: BigInt(expiresAt) })
}

/**
 * Returns the largest amount that the conversion of a quote takes, in raw units. This is the amount to approve or to
 * sign.
 */
export function getMaxAmountInRaw({ execution, limit, amountIn }: QuoteTerms): bigint {
  return BigInt(execution === 'target-swap' ? limit : amountIn)
}

/** Returns the call that executes a quote for a wallet, with the limits and the route of the quote. */
export function toConversionCall(
  terms: QuoteTerms,
  { userAddress, tokenIn, tokenOut }: Parties,
): Parameters<Chain['conversions']['build']>[0] {
  const { recipient, pool, expiresAt, execution } = terms
  const common = {
    userAddress,
    tokenIn,
    tokenOut,
    deadlineSeconds: BigInt(expiresAt),
    ...(recipient !== null && { recipient }),
    ...(pool !== null && { pool }),
  }
  const [amountInRaw, amountOutRaw, limitRaw] = [BigInt(terms.amountIn), BigInt(terms.amountOut), BigInt(terms.limit)]
  if (execution === 'target-swap') return { ...common, mode: 'exact-out', maxAmountInRaw: limitRaw, amountOutRaw }
  const minAmountOutRaw = terms.mode === 'exact-in' ? limitRaw : amountOutRaw
  return { ...common, mode: 'exact-in', amountInRaw, minAmountOutRaw }
}

type Parties = { readonly userAddress: Address; readonly tokenIn: Token; readonly tokenOut: Token }

/** Returns the hops of a route in the form of a quote's terms. */
export function toQuotedHops(route: Route.Route): QuoteTerms['hops'] {
  return Route.mapHops(route, toQuotedHop)
}

/** Returns the prices and fees of a quote's pools, for the maths of core. */
export function fromQuotedHops(hops: QuoteTerms['hops']): PricedRoute.PricedRoute {
  return Route.mapHops(hops, toPricedHop)
}

function toQuotedHop(hop: Hop.Hop): QuotedHop {
  const [{ tokenInAnswer, tokenOutAnswer, epsilon, ...priced }] = PricedRoute.from([hop])
  return {
    pool: hop.pool.address,
    tokenIn: hop.origin.token.address,
    tokenOut: hop.target.token.address,
    tokenInAnswer: tokenInAnswer.toString(),
    tokenOutAnswer: tokenOutAnswer.toString(),
    epsilon: epsilon.toString(),
    ...priced,
  }
}

function toPricedHop({ pool: _, tokenIn: __, tokenOut: ___, ...priced }: QuotedHop): PricedRoute.Hop {
  const { tokenInAnswer, tokenOutAnswer, epsilon } = priced
  return {
    ...priced,
    tokenInAnswer: BigInt(tokenInAnswer),
    tokenOutAnswer: BigInt(tokenOutAnswer),
    epsilon: BigInt(epsilon),
  }
}
