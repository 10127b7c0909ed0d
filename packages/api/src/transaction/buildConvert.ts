import type { Head, BuiltConvert, Chain, Snapshot } from '@agio/chain'
import { Amount, Errors, Network, Timestamp, type Address } from '@agio/core'
import { z } from 'zod'
import { amountErrors, limitErrors, quoteErrors, routeErrors } from '../errors/errorLists.ts'
import { assertNotExpired, type QuoteTerms, toConversionCall } from '../quote/QuoteTerms.ts'
import { assertAboveMin } from '../quote/priceConversion.ts'
import { account, address, amount, blockNumber, blockTimestamp, chainId, quoteText } from '../schema/fields.ts'
import {
  gasTerms,
  getMaxFeeWei,
  toGasTerms,
  toUnsignedTransaction,
  unsignedTransaction,
  toWalletTransaction,
  walletTransaction,
} from '../schema/transactions.ts'
import { localExamples } from '../schema/localExamples.ts'
import { maxDeadlineSeconds, signedPermit, type SignedPermit } from '../schema/permit.ts'
import { refuseFields, requireFields } from '../schema/requireFields.ts'
import { assertOutsider, getFreshSnapshot, getToken, resolveRoute } from '../pools/snapshot.ts'
import { type Context, getChain } from '../procedure/Context.ts'
import { procedure, type Meta } from '../procedure/procedure.ts'
import { acceptPermit } from './acceptPermit.ts'
import { batchFields, toBatch, buildCall } from './batch.ts'
import { observeExpiry, openQuote } from './openQuote.ts'
import { findIssues, findSpender, issue, type Issue, findQuoteIssues } from './findIssues.ts'
import { resolveDeadline } from './resolveDeadline.ts'
import { priceQuoteNow } from '../quote/priceQuoteNow.ts'

const deadline = z.int().min(1).max(maxDeadlineSeconds, 'It is not a Unix time in seconds')

// Without an example, because the example of the operation has no quote.
const amountNow = z.string().regex(Amount.pattern)

const pricedFields = ['tokenIn', 'tokenOut', 'amountIn', 'minAmountOut'] as const

const inputSchema = z.strictObject({
  chainId: chainId
    .optional()
    .describe(`Chain id of the network. Default: the chain of the quote, or ${Network.defaultChainId} without a quote`),
  userAddress: account.meta({ description: 'Wallet that will sign and pay', example: localExamples.wallet }),
  quote: quoteText
    .optional()
    .describe('Quote of `convert/quote`. It fixes tokens, amounts, route and deadline, so do not send these fields'),
  tokenIn: address
    .optional()
    .meta({ description: 'Token to pay. Required without a quote', example: localExamples.tAUD }),
  tokenOut: address
    .optional()
    .meta({ description: 'Token to receive. Required without a quote', example: localExamples.tUSD }),
  amountIn: amount.optional().describe('Amount to pay. Required without a quote'),
  minAmountOut: amount.optional().meta({
    description:
      'Smallest amount to receive, such as the `recommendedMinAmountOut` of a preview. Required without a quote',
    example: '650.548962',
  }),
  deadline: deadline.optional().meta({
    description: 'Last time at which the transaction may be mined, as Unix time in seconds. Default: in five minutes',
    example: 4_102_444_800,
  }),
  permit: signedPermit
    .optional()
    .describe(
      'Signature that pays instead of an allowance: the `permit` of a step of `approval/plan`, with the `signature` of its `typedData`. Over tRPC, send it by POST, because a URL must not contain a signature',
    ),
})

const inputExample = {
  chainId: Network.defaultChainId,
  userAddress: localExamples.wallet,
  tokenIn: localExamples.tAUD,
  tokenOut: localExamples.tUSD,
  amountIn: '1000',
  minAmountOut: '650.548962',
}

const outputSchema = unsignedTransaction
  .extend({
    ...gasTerms,
    deadline: z.int().min(1).meta({
      description: 'Last time at which the transaction may be mined, as Unix time in seconds',
      example: 1_795_241_836,
    }),
    issues: z
      .array(issue)
      .describe(
        'Reasons why the conversion would fail if it were sent now, without other calls. Empty if it would succeed. A missing allowance is not listed if the `permit` provides it, but it is listed even if `calls` would approve it',
      ),
    blockNumber: blockNumber.describe('Number of the block at whose prices the conversion was checked'),
    blockTimestamp,
    ...batchFields,
    transaction: walletTransaction.describe('The same transaction for the `eth_sendTransaction` of a wallet'),
    amountOutNow: amountNow
      .optional()
      .describe('Current output of a quote with a fixed input, at the newest block. Absent if unknown'),
    amountInNow: amountNow
      .optional()
      .describe('Current cost of a quote with a fixed output, at the newest block. Absent if unknown'),
  })
  .meta({ id: 'UnsignedConvert', description: 'An unsigned conversion' })

/**
 * Defines a procedure that builds an unsigned conversion.
 *
 * @param openapi the REST path. A second, deprecated path exists
 */
export function defineBuildConvert(openapi: NonNullable<Meta['openapi']>) {
  return procedure
    .meta({
      scope: 'build',
      openapi,
      example: inputExample,
      errors: [
        ...routeErrors,
        ...amountErrors,
        ...limitErrors,
        'svc/deadline-passed',
        ...quoteErrors,
        'svc/invalid-permit',
        'svc/token-paused',
      ],
    })
    .input(inputSchema)
    .output(outputSchema)
    .query(({ ctx, input: { quote, ...request } }) => {
      assertPermitNotInUrl(ctx, request)
      return quote === undefined
        ? buildPriced(ctx, request)
        : observeExpiry(ctx.quotes, quote, () => buildFromQuote(ctx, { ...request, quote }))
    })
}

/** Builds an unsigned conversion. */
export const buildConvert = defineBuildConvert({
  method: 'POST',
  path: '/api/v1/transaction/build/convert',
  operationId: 'buildConversion',
  tags: ['Transaction'],
  summary: 'Build an unsigned conversion',
  description:
    'Returns a conversion for the wallet to sign. For a quote, send only `quote` and `userAddress`. A conversion of given amounts uses the direct pool of the two tokens, or two pools through the reference dollar. A conversion that the pool would refuse is an error. `issues` lists a missing allowance, token balance or gas balance of the wallet, and a limit of a quote that the market has passed. With a `permit`, the conversion carries a signature instead of an allowance. The signature is verified first, by a call of the token or of Permit2. Without a `permit`, `calls` contains the whole plan as one batch for `wallet_sendCalls`.',
})

type Request = Omit<z.output<typeof inputSchema>, 'quote'>

type Response = z.input<typeof outputSchema>

/**
 * Asserts that a URL contains no signature, because proxies and browsers may log URLs.
 *
 * @throws `svc/invalid-request`
 */
function assertPermitNotInUrl({ isInputInUrl }: Context, { permit }: Request): void {
  if (!isInputInUrl || permit === undefined) return
  throw Errors.invalidRequest({
    field: 'permit',
    reason: 'a URL must not contain a signature. Send the request by POST',
  })
}

async function buildPriced(ctx: Context, request: Request): Promise<Response> {
  const input = { ...request, chainId: request.chainId ?? Network.defaultChainId }
  requireFields(input, pricedFields)
  const chain = getChain(ctx, input.chainId)
  const snapshot = await getFreshSnapshot(chain, ctx.now())
  assertOutsider(chain, input.userAddress, 'userAddress')
  const [tokenIn, tokenOut] = [
    getToken(snapshot, input.tokenIn, 'tokenIn'),
    getToken(snapshot, input.tokenOut, 'tokenOut'),
  ]
  const amountInRaw = Amount.parse(input.amountIn, tokenIn.decimals, 'amountIn')
  const minAmountOutRaw = Amount.parse(input.minAmountOut, tokenOut.decimals, 'minAmountOut')
  const route = resolveRoute(chain, snapshot, input)
  const deadlineSeconds = resolveDeadline(input.deadline, snapshot.block.timestampSeconds, ctx.now())
  const quoted = await chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
  assertAboveMin(quoted, minAmountOutRaw, tokenOut)
  const { userAddress } = input
  const amounts = { mode: 'exact-in', amountInRaw, minAmountOutRaw, deadlineSeconds } as const
  const call = { userAddress, tokenIn, tokenOut, ...amounts }
  const permit = input.permit && (await acceptPermit(chain, call, { permit: input.permit }))
  const { calls, ...built } = await buildCall(chain, { ...call, permit })
  const gasWei = getMaxFeeWei(built)
  const needs = { token: tokenIn, amountInRaw, gasWei, spender: findSpender({ permit }) }
  const wallet = { from: userAddress, chainId: input.chainId }
  return {
    ...toUnsignedTransaction(built, input.chainId),
    ...toGasTerms(built),
    ...(calls && toBatch(calls)),
    deadline: Number(deadlineSeconds),
    issues: findIssues(needs, built.account),
    ...toBlockFields(quoted.block),
    transaction: toWalletTransaction(wallet, built),
  }
}

async function buildFromQuote(ctx: Context, input: Request & { readonly quote: string }): Promise<Response> {
  refuseFields(input, [...pricedFields, 'deadline'], 'the quote fixes it')
  const { terms, chain } = await openQuote(ctx, input)
  const { quote, userAddress, permit } = input
  if (terms.userAddress !== null && terms.userAddress !== userAddress) {
    throw Errors.quoteMismatch({ field: 'userAddress', expected: terms.userAddress, actual: userAddress })
  }
  const snapshot = await getFreshSnapshot(chain, ctx.now())
  assertNotExpired(terms, { headSeconds: snapshot.block.timestampSeconds, nowMs: ctx.now() })
  assertOutsider(chain, userAddress, 'userAddress')
  const { built, ...state } = await buildQuoted(chain, snapshot, { quote, terms, userAddress, permit })
  ctx.quotes.observe('built', quote)
  return {
    ...toUnsignedTransaction(built, chain.chainId),
    ...toGasTerms(built),
    deadline: terms.expiresAt,
    transaction: toWalletTransaction({ from: userAddress, chainId: chain.chainId }, built),
    ...state,
    ...toBlockFields(snapshot.block),
  }
}

function toBlockFields({ number, timestampSeconds }: Head) {
  return { blockNumber: Number(number), blockTimestamp: Timestamp.fromSeconds(timestampSeconds) }
}

/**
 * Builds the conversion of a quote for a wallet, at the limits of the quote. If the market has passed a limit, the
 * result has an issue.
 *
 * @throws the errors of `Chain.conversions.build` and `acceptPermit`, and the error of a pool that refuses the
 * conversion now
 */
async function buildQuoted(
  chain: Chain,
  snapshot: Snapshot,
  { quote, terms, userAddress, permit }: Options,
): Promise<BuiltQuote> {
  const [tokenIn, tokenOut] = [getToken(snapshot, terms.tokenIn, 'quote'), getToken(snapshot, terms.tokenOut, 'quote')]
  const call = toConversionCall(terms, { userAddress, tokenIn, tokenOut })
  const callPermit = permit && (await acceptPermit(chain, call, { permit, quote }))
  const market = await priceQuoteNow(chain, snapshot, terms)
  // A conversion that would revert has no estimate.
  const gas = market?.isWithinLimit === false ? 'upper-bound' : 'estimate'
  const { calls, ...built } = await buildCall(chain, { ...call, permit: callPermit, gas })
  return {
    built,
    ...(calls && toBatch(calls)),
    issues: findQuoteIssues({ terms, tokenIn, tokenOut, permit: callPermit }, built, market),
    ...(market?.side === 'out' && { amountOutNow: Amount.format(market.nowRaw, tokenOut.decimals) }),
    ...(market?.side === 'in' && { amountInNow: Amount.format(market.nowRaw, tokenIn.decimals) }),
  }
}

type Options = {
  /** The text of the quote. */
  readonly quote: string
  readonly terms: QuoteTerms
  readonly userAddress: Address
  /** The signature that pays the conversion, if any. */
  readonly permit?: SignedPermit | undefined
}

type BuiltQuote = {
  readonly built: BuiltConvert
  readonly issues: Issue[]
  /** Every call that the conversion needs; absent with a permit. */
  readonly calls?: ReturnType<typeof toBatch>['calls']
  readonly callGasLimits?: ReturnType<typeof toBatch>['callGasLimits']
  /** The current output of the input, in whole tokens; absent for a fixed output, and if it cannot be priced now. */
  readonly amountOutNow?: string
  /** The current cost of the output, in whole tokens; absent for a fixed input, and if it cannot be priced now. */
  readonly amountInNow?: string
}
