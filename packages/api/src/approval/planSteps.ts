import type { ApprovalState, Chain, Snapshot } from '@agio/chain'
import { Amount, type Address, type Token } from '@agio/core'
import { maxUint256 } from 'viem'
import type { z } from 'zod'
import { type QuoteTerms, toConversionCall } from '../quote/QuoteTerms.ts'
import { toQuoteDigest } from '../quote/createQuoteSigner.ts'
import { toReadBlock } from '../schema/fields.ts'
import { toTypedDataResponse } from '../schema/typedData.ts'
import { toL1Fee, toUnsignedTransaction, toWalletTransaction } from '../schema/transactions.ts'
import { getToken } from '../pools/snapshot.ts'
import { chooseMethod, type Method } from './chooseMethod.ts'
import { createPlanReasons, type PlanReasons } from './planReasons.ts'
import type { approvalPlan, ApprovalStep, TransactionStep } from './planResponse.ts'

/** Plans the steps with which an owner lets a spender take an amount. @throws the errors of `Chain.buildApproval` */
export async function planSteps(chain: Chain, options: planSteps.Options): Promise<z.input<typeof approvalPlan>> {
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

export declare namespace planSteps {
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
}

type PlanContext = planSteps.Options & {
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
function toAmountRaw({ unlimited, requiredRaw }: planSteps.Options): bigint {
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
