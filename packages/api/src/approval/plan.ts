import { Amount, Errors, Network, type Address, type Token } from '@agio/core'
import { z } from 'zod'
import type { ApprovalState, Chain, Snapshot } from '@agio/chain'
import { maxUint256 } from 'viem'
import { quoteErrors } from '../errors/errorLists.ts'
import { assertNotExpired, getMaxAmountInRaw, type QuoteTerms, toConversionCall } from '../quote/QuoteTerms.ts'
import { account, address, amount, chainId, quoteText, toReadBlock } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { refuseFields, requireFields } from '../schema/requireFields.ts'
import { assertOutsider, getToken } from '../pools/snapshot.ts'
import { observeExpiry, openQuote } from '../transaction/openQuote.ts'
import { resolveDeadline } from '../transaction/resolveDeadline.ts'
import { type Context, getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { approvalPlan, type ApprovalStep, type TransactionStep } from './planResponse.ts'
import { toQuoteDigest } from '../quote/createQuoteSigner.ts'
import { toTypedDataResponse } from '../schema/typedData.ts'
import { toL1Fee, toUnsignedTransaction, toWalletTransaction } from '../schema/transactions.ts'
import { chooseMethod, type Method } from './chooseMethod.ts'
import { createPlanReasons, type PlanReasons } from './planReasons.ts'

const inputSchema = z.strictObject({
  chainId: chainId
    .optional()
    .describe(`Chain id of the network. Default: the chain of the quote, or ${Network.defaultChainId} without a quote`),
  tokenAddress: address
    .optional()
    .meta({ description: 'Token to pay. Required without a quote', example: localExamples.tAUD }),
  ownerAddress: account.meta({ description: 'Wallet that will sign and pay', example: localExamples.wallet }),
  amount: amount.optional().describe('Amount that the spender must be allowed to take. Required without a quote'),
  quote: quoteText
    .optional()
    .describe(
      'Quote of `convert/quote`. The quote fixes the amount, so do not send `amount`. Only a quote can be paid through Permit2',
    ),
  spenderAddress: account.optional().meta({
    description: 'Contract that takes the token. Default: the `spender` of the quote, or the router',
    example: localExamples.router,
  }),
  prefer: z.enum(['permit', 'approve']).optional().meta({
    description:
      'Whether to sign or to send an approval. Default: a signature if possible. If a `permit` is not possible, the plan has an approval, whose `reason` says why',
    example: 'permit',
  }),
  unlimited: z.boolean().default(false).meta({
    description: 'Whether the spender may take any amount, now and later',
    example: false,
  }),
})

const inputExample = {
  chainId: Network.defaultChainId,
  tokenAddress: localExamples.tAUD,
  ownerAddress: localExamples.wallet,
  amount: '1000',
}

type Input = z.output<typeof inputSchema>

/** Plans the signatures and transactions with which an owner lets a conversion take its tokens. */
export const plan = procedure
  .meta({
    scope: 'build',
    openapi: rest('POST /api/v1/approval/plan', 'Approval', {
      operationId: 'planApproval',
      summary: 'Plan an approval',
      description:
        'Returns the cheapest steps that a wallet needs before a conversion: none, one signature that the conversion carries, or an approval. If the token requires it, a reset precedes the approval. Pass the `typedData` of a step to `eth_signTypedData_v4`, and send its `permit` with the `signature` to `transaction/build/convert`. Pass the `walletTransaction` of a step to `eth_sendTransaction`.',
    }),
    example: inputExample,
    errors: ['svc/unsupported-token', 'svc/token-paused', 'svc/reverted', ...quoteErrors],
  })
  .input(inputSchema)
  .output(approvalPlan)
  .query(({ ctx, input: { quote, ...request } }) =>
    quote === undefined
      ? planAmount(ctx, request)
      : observeExpiry(ctx.quotes, quote, () => planQuote(ctx, { ...request, quote })),
  )

type Response = z.output<typeof approvalPlan>

async function planAmount(ctx: Context, input: Omit<Input, 'quote'>): Promise<Response> {
  requireFields(input, ['tokenAddress', 'amount'])
  const chain = getChain(ctx, input.chainId ?? Network.defaultChainId)
  const snapshot = await chain.pools.getSnapshot()
  assertOutsider(chain, input.ownerAddress, 'ownerAddress')
  const token = getToken(snapshot, input.tokenAddress, 'tokenAddress')
  return await planSteps(chain, {
    ...input,
    token,
    spender: input.spenderAddress ?? chain.deployment.router,
    requiredRaw: Amount.parse(input.amount, token.decimals, 'amount'),
    deadlineSeconds: resolveDeadline(undefined, snapshot.block.timestampSeconds, ctx.now()),
    quoted: undefined,
  })
}

async function planQuote(ctx: Context, input: Input & { readonly quote: string }): Promise<Response> {
  refuseFields(input, ['amount'], 'the quote fixes it')
  const { terms, chain } = await openQuote(ctx, input)
  assertSame('tokenAddress', terms.tokenIn, input.tokenAddress)
  assertSame('spenderAddress', terms.to, input.spenderAddress)
  assertSame('ownerAddress', terms.userAddress, input.ownerAddress)
  const snapshot = await chain.pools.getSnapshot()
  assertNotExpired(terms, { headSeconds: snapshot.block.timestampSeconds, nowMs: ctx.now() })
  assertOutsider(chain, input.ownerAddress, 'ownerAddress')
  return await planSteps(chain, {
    ...input,
    token: getToken(snapshot, terms.tokenIn, 'quote'),
    spender: terms.to,
    requiredRaw: getMaxAmountInRaw(terms),
    deadlineSeconds: BigInt(terms.expiresAt),
    quoted: { text: input.quote, terms, snapshot },
  })
}

/** Asserts that the request matches the quote. @throws `svc/quote-mismatch` if a field differs */
function assertSame(field: string, quoted: Address | null, requested: Address | undefined): void {
  if (quoted === null || requested === undefined || quoted === requested) return
  throw Errors.quoteMismatch({ field, expected: quoted, actual: requested })
}

/** Plans the steps with which an owner lets a spender take an amount. @throws the errors of `Chain.buildApproval` */
async function planSteps(chain: Chain, options: Options): Promise<z.input<typeof approvalPlan>> {
  const { token, ownerAddress: owner, spender, requiredRaw, quoted, prefer, unlimited: isUnlimited } = options
  const [features, { domain }, state] = await Promise.all([
    chain.conversions.getRouterFeatures(),
    chain.permits.getTokenPermits(token.address),
    chain.approvals.readState({ token: token.address, owner, spender }),
  ])
  const kind = classifySpender(chain, spender)
  const common = { state, requiredRaw, prefer, isUnlimited, hasQuote: quoted !== undefined }
  const method = chooseMethod({ ...common, features, domain, spender: kind })
  const reasons = createPlanReasons({ token, requiredRaw, isUnlimited, spender: describeSpender(kind, spender) })
  return {
    steps: await listSteps(chain, { ...options, state, domain, method, reasons }),
    spenderAddress: spender,
    currentAllowance: Amount.format(state.allowanceRaw, token.decimals),
    requiredAmount: Amount.format(requiredRaw, token.decimals),
    ...toReadBlock(state.block),
  }
}

type Options = {
  readonly ownerAddress: Address
  readonly prefer?: 'permit' | 'approve' | undefined
  readonly unlimited: boolean
  readonly token: Token
  readonly spender: Address
  /** Raw units. */
  readonly requiredRaw: bigint
  /** Until when a permit is valid. */
  readonly deadlineSeconds: bigint
  readonly quoted: { readonly text: string; readonly terms: QuoteTerms; readonly snapshot: Snapshot } | undefined
}

type PlanContext = Options & {
  readonly state: ApprovalState
  readonly domain: chooseMethod.Conditions['domain']
  readonly method: Method
  readonly reasons: PlanReasons
}

async function listSteps(chain: Chain, context: PlanContext): Promise<ApprovalStep[]> {
  const { method, reasons } = context
  if (method.kind === 'none') return []
  if (method.kind === 'approve') return await listTransactions(chain, context, reasons.approve(method.because))
  const fallback = await listTransactions(chain, context, reasons.approve())
  return method.kind === 'permit'
    ? [{ kind: 'permit', reason: reasons.permit(method.mayBeRefused), ...toPermit(chain, context), fallback }]
    : [{ kind: 'permit2', reason: reasons.permit2(method.mayBeRefused), ...toPermit2(chain, context), fallback }]
}

/** Lists the transactions of an approval: the approval, after an approval of zero if the token requires it. */
async function listTransactions(chain: Chain, context: PlanContext, reason: string): Promise<TransactionStep[]> {
  const { token, ownerAddress: owner, spender, state, reasons } = context
  const { allowanceRaw } = state
  const amountRaw = toAmountRaw(context)
  const common = { token: token.address, spender }
  const [reset, approval, isResetNeeded, fees] = await Promise.all([
    chain.approvals.build({ ...common, amountRaw: 0n }),
    chain.approvals.build({ ...common, amountRaw }),
    chain.approvals.needsReset({ ...common, owner, amountRaw, allowanceRaw }),
    chain.gas.readFees(),
  ])
  const toTransactions = (built: typeof approval) => ({
    transaction: toUnsignedTransaction(built, chain.chainId),
    walletTransaction: toWalletTransaction({ from: owner, chainId: chain.chainId }, { ...built, ...fees }),
    ...toL1Fee(state),
  })
  const approve: TransactionStep = { kind: 'approve', reason, ...toTransactions(approval) }
  if (!isResetNeeded) return [approve]
  return [{ kind: 'reset', reason: reasons.reset(allowanceRaw), ...toTransactions(reset) }, approve]
}

/** Creates the EIP-2612 permit that the owner signs. */
function toPermit(chain: Chain, context: PlanContext) {
  const { token, ownerAddress: owner, deadlineSeconds, domain, state } = context
  const { nonce } = state
  if (domain === undefined || nonce === undefined)
    throw new Error('Cannot make a permit: the token does not support permits')
  const valueRaw = toAmountRaw(context)
  const typedData = chain.permits.toTypedData({ domain, owner, valueRaw, nonce, deadlineSeconds })
  const amount = Amount.format(valueRaw, token.decimals)
  return {
    typedData: toTypedDataResponse(typedData),
    permit: { kind: 'permit' as const, deadline: Number(deadlineSeconds), amount, nonce: nonce.toString() },
  }
}

/** Creates the Permit2 transfer that the owner signs. It contains the conversion of the quote. */
function toPermit2(chain: Chain, { ownerAddress, requiredRaw, deadlineSeconds, token, quoted }: PlanContext) {
  if (quoted === undefined) throw new Error('Cannot make a Permit2 transfer: a quote is required')
  const { text, terms, snapshot } = quoted
  const tokens = { tokenIn: token, tokenOut: getToken(snapshot, terms.tokenOut, 'quote') }
  const { tokenIn, tokenOut, ...call } = toConversionCall(terms, { userAddress: ownerAddress, ...tokens })
  const recipient = terms.recipient ?? ownerAddress
  const quoteDigest = toQuoteDigest(text)
  const swap = { ...call, tokenIn: tokenIn.address, tokenOut: tokenOut.address, recipient }
  const amount = Amount.format(requiredRaw, token.decimals)
  const nonce = BigInt(quoteDigest).toString()
  return {
    typedData: toTypedDataResponse(chain.permits.toPermit2TypedData({ swap, quoteDigest })),
    permit: { kind: 'permit2' as const, deadline: Number(deadlineSeconds), amount, nonce },
  }
}

/** Returns the amount to allow, in raw units. */
function toAmountRaw({ unlimited, requiredRaw }: Options): bigint {
  return unlimited ? maxUint256 : requiredRaw
}

function classifySpender(
  { deployment: { router, pools }, permits: { permit2 } }: Chain,
  spender: Address,
): chooseMethod.Conditions['spender'] {
  if (spender === router) return 'router'
  if (spender === permit2) return 'permit2'
  return pools.includes(spender) ? 'pool' : 'other'
}

function describeSpender(kind: chooseMethod.Conditions['spender'], spender: Address): string {
  if (kind === 'router') return 'the router'
  if (kind === 'permit2') return 'Permit2'
  return kind === 'pool' ? `the pool ${spender}` : `${spender}, which is not a contract of this network,`
}
