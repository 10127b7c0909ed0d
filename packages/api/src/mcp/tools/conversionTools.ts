import type { Chain, DecodedConversionCall } from '@agio/chain'
import { Amount, Errors, ServiceError, Timestamp, type Address, type Network } from '@agio/core'
import { z } from 'zod'
import { getChain } from '../../procedure/Context.ts'
import { account } from '../../schema/fields.ts'
import type { Tool, ToolCall } from './Tool.ts'
import { ToolRefusal } from './toToolError.ts'
import { amount, chainId, formatAmount, issue, quote, token, tokenReference, type TokenReference } from './schemas.ts'

const wallet = account.meta({ description: 'Account that signs and pays' })

type Quote = Readonly<Record<'quote' | 'amountIn' | 'amountOut' | 'expiresAt' | 'mode', string>> &
  Readonly<Partial<Record<'minAmountOut' | 'maxAmountIn', string>>> &
  Readonly<Record<'tokenIn' | 'tokenOut', TokenReference>>

const quoteConversion: Tool = {
  name: 'quote_conversion',
  description:
    'Fixes the terms of a conversion for a minute, for an exact `amountIn` or an exact `amountOut`. Show the amounts to the user, then call build_conversion. Nothing is reserved or sent: if the answer is lost, ask for another quote.',
  input: z.strictObject({
    chainId,
    tokenIn: token,
    tokenOut: token,
    amountIn: amount.optional(),
    amountOut: amount.optional(),
    userAddress: wallet,
    recipient: account.optional().meta({ description: 'Default: userAddress' }),
    slippageBps: z
      .unknown()
      .optional()
      .meta({ override: { type: 'integer' }, description: 'Default: 5' }),
  }),
  output: z.object({
    quote: z.string(),
    expiresAt: z.string(),
    amountIn: z.string(),
    amountOut: z.string(),
    minAmountOut: z.string().optional(),
    maxAmountIn: z.string().optional(),
    exchangeRate: z.string(),
    routeFeeRate: z.string(),
    spender: z.string(),
    tokenIn: tokenReference,
    tokenOut: tokenReference,
    issues: z.array(issue).optional(),
  }),
  async run({ input, callProcedure }) {
    const data = await callProcedure<Quote>('convert.quote', input)
    const { amountIn, amountOut, minAmountOut, maxAmountIn = amountIn, tokenIn, tokenOut, expiresAt } = data
    const text = `Pay at most ${formatAmount(maxAmountIn, tokenIn)}, receive at least ${formatAmount(minAmountOut ?? amountOut, tokenOut)}, if mined before ${expiresAt}.`
    return { data, text }
  },
}

type Plan = {
  readonly steps: readonly { readonly kind: string; readonly typedData?: object; readonly permit?: object }[]
  readonly requiredAmount: string
  readonly spenderAddress: string
}

const signature = z.looseObject({})

const planApproval: Tool = {
  name: 'plan_approval',
  description:
    'Returns what the account must sign or send before the conversion of a quote: nothing, one signature (`typedData`), or the approval that `calls` of build_conversion contain. It sends nothing.',
  input: z.strictObject({ quote, ownerAddress: wallet }),
  output: z.object({
    steps: z.array(
      z.object({
        kind: z.string(),
        reason: z.string(),
        typedData: signature.optional(),
        permit: signature.optional(),
        walletTransaction: signature.optional(),
      }),
    ),
    requiredAmount: z.string(),
    spenderAddress: z.string(),
  }),
  async run({ input, callProcedure }) {
    const data = await callProcedure<Plan>('approval.plan', input)
    const kinds = data.steps.map(({ kind }) => kind).join(', ')
    const text = kinds === '' ? 'The allowance is sufficient.' : `Needed for ${data.requiredAmount}: ${kinds}.`
    return { data, text: `${text} The spender is ${data.spenderAddress}.` }
  },
}

type Built = {
  readonly to: Address
  readonly data: `0x${string}`
  readonly chainId: Network.ChainId
  readonly calls?: readonly object[]
  readonly issues: readonly { readonly message: string }[]
}

const call = z.object({ to: z.string(), data: z.string(), value: z.string() })

// The procedure checks its fields.
const permit = z.unknown().meta({
  override: { type: 'object' },
  description: 'The `permit` of `signature`, with the `signature` of its `typedData`',
})

const buildConversion: Tool = {
  name: 'build_conversion',
  description:
    'Builds the conversion of a quote as unsigned `calls` for `wallet_sendCalls`, which contain the approval if one is missing. `terms` are read back from the calldata: compare them with what the user wants before signing. If `signature` is present, signing its `typedData` and building again with `permit` replaces the approval. An expired quote is refused with the old and the new terms.',
  input: z.strictObject({ quote, userAddress: wallet, permit: permit.optional() }),
  output: z.object({
    chainId: z.int(),
    calls: z.array(call),
    terms: z.string(),
    spender: z.string(),
    gasLimit: z.string(),
    issues: z.array(issue),
    signature: z.object({ typedData: signature, permit: signature }).optional(),
  }),
  async run(toolCall) {
    const { input, context, callProcedure } = toolCall
    const built = await callProcedure<Built>('transaction.buildConvert', input).catch((error: unknown) =>
      refuseExpired(error, toolCall),
    )
    const { to, data, calls = [{ to, data, value: '0x0' }] } = built
    const terms = readTerms(getChain(context, built.chainId), { to, data, from: input['userAddress'] as Address })
    const signed = calls.length > 1 ? await findSignature(toolCall) : undefined
    const issues = built.issues.map(({ message }) => message).join('. ')
    const text = issues === '' ? terms : `${terms} Not sent alone yet: ${issues}.`
    return { data: { ...built, calls, terms, spender: to, ...(signed && { signature: signed }) }, text }
  },
}

/** Returns the signature that replaces the approval of a quote; undefined if the token has none. */
async function findSignature({ input, callProcedure }: ToolCall): Promise<object | undefined> {
  const { steps } = await callProcedure<Plan>('approval.plan', {
    quote: input['quote'],
    ownerAddress: input['userAddress'],
  })
  const { typedData, permit } = steps[0] ?? {}
  return typedData && permit && { typedData, permit }
}

/** Throws the refusal of an expired quote with its old terms and the current terms. Any other error is thrown unchanged. */
async function refuseExpired(error: unknown, { input, context, callProcedure }: ToolCall): Promise<never> {
  if (!(error instanceof ServiceError) || error.code !== 'svc/quote-expired') throw error
  const terms = await context.quotes.verify(String(input['quote']), { keyId: context.keyId })
  const { chainId: quotedChain, tokenIn, tokenOut, mode, userAddress, recipient } = terms
  const decimals = { in: terms.hops[0].decimalsIn, out: (terms.hops.at(-1) ?? terms.hops[0]).decimalsOut }
  const oldTerms = {
    amountIn: Amount.format(BigInt(terms.amountIn), decimals.in),
    amountOut: Amount.format(BigInt(terms.amountOut), decimals.out),
  }
  const fixed = mode === 'exact-in' ? { amountIn: oldTerms.amountIn } : { amountOut: oldTerms.amountOut }
  const request = {
    chainId: quotedChain,
    tokenIn,
    tokenOut,
    ...fixed,
    ...(userAddress !== null && { userAddress }),
    ...(recipient !== null && { recipient }),
  }
  const { amountIn, amountOut } = await callProcedure<Quote>('convert.quote', request)
  throw new ToolRefusal(error, { oldTerms, newTerms: { amountIn, amountOut } })
}

type Sent = Pick<Built, 'to' | 'data'> & { readonly from: Address }

/** Returns the terms of a conversion as its calldata has them. @throws `svc/internal` if it is not a conversion */
function readTerms(chain: Chain, { to, data, from }: Sent): string {
  const decoded = chain.conversions.decodeCall({ to, data })
  if (!decoded) throw Errors.internal({ action: 'read the calldata back', reason: 'it is not a conversion' })
  const tokens = chain.pools.getTokens()
  const format = (raw: bigint, address: Address) => {
    const found = tokens.get(address)
    if (!found) throw Errors.internal({ action: 'read the calldata back', reason: 'its token is unknown' })
    return `${formatAmount(Amount.format(raw, found.decimals), found)} (${address})`
  }
  const { paid, received } = toLimits(decoded)
  const before = Timestamp.fromSeconds(decoded.deadlineSeconds)
  return `Pay at most ${format(paid, decoded.tokenIn)}, receive at least ${format(received, decoded.tokenOut)}, to ${decoded.recipient ?? from}, spender ${to}, before ${before}.`
}

function toLimits(decoded: DecodedConversionCall) {
  return decoded.mode === 'exact-in'
    ? { paid: decoded.amountInRaw, received: decoded.minAmountOutRaw }
    : { paid: decoded.maxAmountInRaw, received: decoded.amountOutRaw }
}

/** The tools that lead from a quote to calls for a wallet. */
export const conversionTools: readonly Tool[] = [quoteConversion, planApproval, buildConversion]
