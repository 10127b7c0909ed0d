import { Network, Route, type Address } from '@agio/core'
import { z } from 'zod'

/**
 * The terms of a quote. The text of the quote contains them, signed. Amounts are decimal strings in raw units. Times
 * are Unix seconds.
 */
export type QuoteTerms = z.infer<typeof schema>

/** One pool of a quoted route, with the prices of the quote: the fields of core's `PricedRoute.Hop`, as JSON. */
export type QuotedHop = z.infer<typeof hop>

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
