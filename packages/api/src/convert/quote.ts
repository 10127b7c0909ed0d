import type { Chain, Snapshot } from '@agio/chain'
import { Network, type Address, type Route, Amount, Errors, type ServiceError, type Token } from '@agio/core'
import { z } from 'zod'
import { amountErrors, limitErrors, routeErrors } from '../errors/errorLists.ts'
import { chooseCallee } from './chooseCallee.ts'
import { priceConversion } from '../quote/priceConversion.ts'
import { toConversionCall } from '../quote/QuoteTerms.ts'
import { toQuoteTerms } from './toQuoteTerms.ts'
import { account, address, amount, chainIdOrDefault } from '../schema/fields.ts'
import { toGasTerms } from '../schema/transactions.ts'
import { localExamples } from '../schema/localExamples.ts'
import { assertOutsider, getFreshSnapshot, getToken, resolveRoute } from '../pools/snapshot.ts'
import { findQuoteIssues } from '../transaction/findIssues.ts'
import { type Context, getChain, getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { quoteResponse, toQuoteResponse } from './quoteResponse.ts'

const maxReferenceLength = 64

const reference = z
  .string()
  .min(1)
  // Counts characters like JSON Schema, not UTF-16 code units.
  .refine(
    (value) => Array.from(value).length <= maxReferenceLength,
    `It has more than ${maxReferenceLength} characters`,
  )
  // oxlint-disable-next-line no-control-regex -- it refuses them
  .regex(/^ *[^\x00-\x20\x7F-\x9F][^\x00-\x1F\x7F-\x9F]*$/, 'It is blank or contains control characters')
  // In a refinement: not every language supports such escapes in the patterns of a document.
  .refine(
    (value) => !/[\u2028-\u202E\u2066-\u2069]/.test(value),
    'It contains a character that breaks or reorders lines',
  )
  .refine((value) => value.isWellFormed(), 'It contains lone surrogates')
  .meta({ override: { maxLength: maxReferenceLength } })

/** The input of `convert.quote`. */
export const quoteInput = z.strictObject({
  chainId: chainIdOrDefault,
  tokenIn: address.meta({ description: 'Token to pay', example: localExamples.tAUD }),
  tokenOut: address.meta({ description: 'Token to receive', example: localExamples.tUSD }),
  amountIn: amount.optional().describe('Amount to pay. Pass either `amountIn` or `amountOut`'),
  amountOut: amount.optional().meta({
    description: 'Exact amount to receive. Pass either `amountIn` or `amountOut`',
    example: '650',
  }),
  poolAddress: address.optional().meta({
    description: 'Pool to convert in. Default: the route of the router',
    example: localExamples.pool,
  }),
  slippageBps: z.int().min(0).max(5000).optional().meta({
    description:
      'Tolerance of `minAmountOut` or `maxAmountIn` in basis points. Default: 5. Not supported with `amountOut` if the route cannot be swapped for an exact output, because it would have no effect',
    example: 5,
  }),
  minAmountOut: amount.optional().meta({
    description:
      'Smallest amount to receive for an `amountIn`, instead of `slippageBps`. Pass the limit of an earlier quote to requote at current prices and keep the accepted limit. Refused if the market pays less',
    example: '650.5',
  }),
  maxAmountIn: amount.optional().meta({
    description:
      'Largest amount to pay for an `amountOut`, instead of `slippageBps`. Pass the limit of an earlier quote to requote at current prices and keep the accepted limit. Refused if the market costs more',
    example: '1000.5',
  }),
  validForSeconds: z.int().min(10).max(600).default(60).meta({
    description: 'Validity of the quote in seconds, from the clock or the newest block, whichever is later',
    example: 60,
  }),
  userAddress: account.optional().meta({
    description:
      'Wallet that will sign and pay. The response then includes its issues and gas, and no other wallet can use the quote',
    example: localExamples.wallet,
  }),
  recipient: account.optional().meta({
    description:
      'Account that receives the output. Default: the wallet that pays. The contracts of the network, Permit2 and Multicall3 are refused',
    example: localExamples.wallet,
  }),
  clientReference: reference.optional().meta({
    description:
      'Your own reference. It is signed into the quote, and the receipt returns it. It distinguishes otherwise equal quotes, of which Permit2 would pay only one',
    example: 'invoice-42',
  }),
})

const inputExample = {
  chainId: Network.defaultChainId,
  tokenIn: localExamples.tAUD,
  tokenOut: localExamples.tUSD,
  amountIn: '1000',
  userAddress: localExamples.wallet,
}

type Input = z.output<typeof quoteInput>

/** Quotes a conversion at terms that are fixed until an expiry. */
export const quote = procedure
  .meta({
    scope: 'read',
    openapi: rest('POST /api/v1/convert/quote', 'Convert', {
      operationId: 'quoteConversion',
      summary: 'Quote a conversion',
      description:
        'Returns a quote of an exact input or an exact output at the newest block. The quote is a signed text, valid until `expiresAt`. Send it to `transaction/build/convert` and `transaction/broadcast/convert` instead of amounts. The service does not store quotes, so keep the text. The conversion pays at least `minAmountOut` or costs at most `maxAmountIn`; otherwise it reverts.',
    }),
    example: inputExample,
    errors: [
      'svc/pool-not-found',
      ...routeErrors,
      ...amountErrors,
      ...limitErrors,
      'svc/deadline-passed',
      'svc/recipient-unsupported',
      'svc/quoting-paused',
    ],
  })
  .input(quoteInput)
  .output(quoteResponse)
  .query(async ({ ctx, input }) => {
    const { chain, callee, recipient, tokens, mode, priced } = await priceQuote(ctx, input)
    const request = { ...input, recipient, mode, keyId: getKeyId(ctx), nowMs: ctx.now() }
    const terms = toQuoteTerms(priced, callee, request)
    const { userAddress } = input
    const wallet = userAddress && (await describeWallet(chain, { terms, ...tokens }, userAddress))
    // Signed last, because a signed quote counts as issued.
    return { quote: ctx.quotes.sign(terms), ...toQuoteResponse(terms, priced, tokens), ...wallet }
  })

/** Prices the terms of a quote at the newest block without signing them. @throws the errors of `convert.quote` */
export async function priceQuote(ctx: Pick<Context, 'chains' | 'quotes' | 'now'>, input: Input) {
  const quoteAmounts = toQuoteAmounts(input)
  const chain = getChain(ctx, input.chainId)
  chain.nodes.assertAgreed()
  const snapshot = await getFreshSnapshot(chain, ctx.now())
  const { route, recipient, ...tokens } = resolveConversion(chain, snapshot, input)
  assertNotPaused(ctx, chain, { ...tokens, route })
  const callee = await chooseCallee(chain, snapshot, { route, recipient })
  const { slippageBps } = input
  const { mode, ...amounts } = toRawAmounts(quoteAmounts, tokens)
  const priced = await priceConversion(chain, snapshot, { ...callee, ...amounts, mode, route, slippageBps })
  return { chain, callee, recipient, tokens, mode, priced }
}

function resolveConversion(chain: Chain, snapshot: Snapshot, input: Input) {
  const { userAddress, recipient } = input
  if (userAddress !== undefined) assertOutsider(chain, userAddress, 'userAddress')
  if (recipient !== undefined) assertOutsider(chain, recipient, 'recipient')
  const { poolAddress, tokenIn, tokenOut } = input
  return {
    route: resolveRoute(chain, snapshot, { poolAddress, tokenIn, tokenOut }),
    recipient: recipient === userAddress ? undefined : recipient,
    tokenIn: getToken(snapshot, tokenIn, 'tokenIn'),
    tokenOut: getToken(snapshot, tokenOut, 'tokenOut'),
  }
}

type Conversion = toQuoteResponse.Tokens & { readonly route: Route.Route }

/**
 * Asserts that quotes are not paused for the two tokens, or for the tokens of a pool of the route.
 *
 * @throws `svc/quoting-paused`
 */
function assertNotPaused(
  { quotes }: Pick<Context, 'quotes'>,
  { chainId }: Chain,
  { tokenIn, tokenOut, route }: Conversion,
): void {
  quotes.assertNotPaused(chainId, [tokenIn.address, tokenOut.address])
  for (const { origin, target } of route) {
    quotes.assertNotPaused(chainId, [origin.token.address, target.token.address])
  }
}

/** Returns the gas of a quote for a wallet, and the reasons why its conversion would fail now. */
async function describeWallet(chain: Chain, subject: findQuoteIssues.Quote, userAddress: Address) {
  const { terms, ...tokens } = subject
  const built = await chain.conversions.build(toConversionCall(terms, { userAddress, ...tokens }))
  const issues = findQuoteIssues(subject, built, undefined)
  return { gasLimit: built.gasLimit.toString(), ...toGasTerms(built), issues }
}

/** The fixed amount of a quote, and its limit if the request has one. */
type QuoteAmounts = {
  readonly mode: 'exact-in' | 'exact-out'
  readonly amount: string
  /** The least to receive for an exact input, the most to pay for an exact output. */
  readonly limit: string | undefined
}

/** The fields of a request for the amounts of its quote. */
type AmountFields = {
  readonly amountIn?: string | undefined
  readonly amountOut?: string | undefined
  readonly minAmountOut?: string | undefined
  readonly maxAmountIn?: string | undefined
  readonly slippageBps?: number | undefined
}

/**
 * Reads the fixed amount and its limit.
 *
 * @throws `svc/invalid-request` unless the request has exactly one amount, and at most one limit for the other amount
 */
function toQuoteAmounts({ amountIn, amountOut, ...limits }: AmountFields): QuoteAmounts {
  if (amountIn !== undefined && amountOut !== undefined) {
    throw invalid('amountOut', amountOut, 'pass either amountIn or amountOut, not both')
  }
  if (amountIn !== undefined) {
    const limit = findLimit(limits, ['minAmountOut', 'maxAmountIn'])
    return { mode: 'exact-in', amount: amountIn, limit }
  }
  if (amountOut !== undefined) {
    const limit = findLimit(limits, ['maxAmountIn', 'minAmountOut'])
    return { mode: 'exact-out', amount: amountOut, limit }
  }
  throw invalid('amountIn', undefined, 'pass either amountIn or amountOut')
}

/** Returns the amounts in raw units. @throws `svc/invalid-request` for an amount with more digits than its token has */
function toRawAmounts({ mode, amount, limit }: QuoteAmounts, { tokenIn, tokenOut }: Tokens) {
  const isInput = mode === 'exact-in'
  const [token, limitToken] = isInput ? [tokenIn, tokenOut] : [tokenOut, tokenIn]
  const limitField = isInput ? 'minAmountOut' : 'maxAmountIn'
  return {
    mode,
    amountRaw: Amount.parse(amount, token.decimals, isInput ? 'amountIn' : 'amountOut'),
    limit: limit === undefined ? undefined : parseLimit(limit, limitToken, limitField),
  }
}

type Tokens = { readonly tokenIn: Token; readonly tokenOut: Token }

type Limits = Pick<AmountFields, 'minAmountOut' | 'maxAmountIn' | 'slippageBps'>

type LimitField = 'minAmountOut' | 'maxAmountIn'

function findLimit(limits: Limits, [field, otherField]: readonly [LimitField, LimitField]): string | undefined {
  const { [field]: limit, [otherField]: misplaced, slippageBps } = limits
  if (misplaced !== undefined)
    throw invalid(
      otherField,
      misplaced,
      `with ${field === 'minAmountOut' ? 'amountIn' : 'amountOut'}, pass ${field} instead`,
    )
  if (limit !== undefined && slippageBps !== undefined) {
    throw invalid('slippageBps', slippageBps, `pass either slippageBps or ${field}, not both`)
  }
  return limit
}

function parseLimit(text: string, token: Token, field: LimitField) {
  return { raw: Amount.parse(text, token.decimals, field), token }
}

function invalid(field: string, value: unknown, reason: string): ServiceError<'svc/invalid-request'> {
  return Errors.invalidRequest({ field, value, reason })
}
