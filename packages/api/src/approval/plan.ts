import { Amount, Errors, Network, type Address } from '@agio/core'
import { z } from 'zod'
import { quoteErrors } from '../errors/errorLists.ts'
import { assertNotExpired, getMaxAmountInRaw } from '../quote/QuoteTerms.ts'
import { account, address, amount, chainId, quoteText } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { refuseFields, requireFields } from '../schema/requireFields.ts'
import { assertOutsider, getToken } from '../pools/snapshot.ts'
import { observeExpiry, openQuote } from '../transaction/openQuote.ts'
import { resolveDeadline } from '../transaction/resolveDeadline.ts'
import { type Context, getChain } from '../procedure/Context.ts'
import { procedure } from '../procedure/procedure.ts'
import { approvalPlan } from './planResponse.ts'
import { planSteps } from './planSteps.ts'

const inputSchema = z.strictObject({
  chainId: chainId.optional().meta({
    description: `Chain id of the network. Default: the chain of the quote, or ${Network.defaultChainId} without a quote`,
  }),
  tokenAddress: address
    .optional()
    .meta({ description: 'Token to pay. Required without a quote', example: localExamples.tAUD }),
  ownerAddress: account.meta({ description: 'Wallet that will sign and pay', example: localExamples.wallet }),
  amount: amount
    .optional()
    .meta({ description: 'Amount that the spender must be allowed to take. Required without a quote' }),
  quote: quoteText.optional().meta({
    description:
      'Quote of `convert/quote`. The quote fixes the amount, so do not send `amount`. Only a quote can be paid through Permit2',
  }),
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
    openapi: {
      method: 'POST',
      path: '/api/v1/approval/plan',
      operationId: 'planApproval',
      tags: ['Approval'],
      summary: 'Plan an approval',
      description:
        'Returns the cheapest steps that a wallet needs before a conversion: none, one signature that the conversion carries, or an approval. If the token requires it, a reset precedes the approval. Pass the `typedData` of a step to `eth_signTypedData_v4`, and send its `permit` with the `signature` to `transaction/build/convert`. Pass the `walletTransaction` of a step to `eth_sendTransaction`.',
    },
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
