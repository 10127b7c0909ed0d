import { Network } from '@agio/core'
import { z } from 'zod'
import { chainId as requiredChainId, transactionHash } from '../../schema/fields.ts'
import { signedTransaction } from '../../transaction/broadcastResult.ts'
import type { Tool } from './Tool.ts'
import { formatAmount, quote, tokenReference, type TokenReference } from './schemas.ts'

const chainId = requiredChainId
  .optional()
  .meta({ description: `Default: ${Network.defaultChainId}, or the network of the quote` })

const failure = z.object({ code: z.string(), message: z.string() })

type State = {
  readonly transactionHash: string
  readonly status: string
  readonly failure?: { readonly message: string }
}

const broadcastSigned: Tool = {
  name: 'broadcast_signed',
  description:
    'Sends a signed transaction once. Pass the `quote` to send only if the transaction executes it. If the answer is lost or the outcome is unknown, call track_transaction, or this tool again with the same bytes: it returns the same hash. Never sign another transaction before the first has ended.',
  isDestructive: true,
  input: z.strictObject({ chainId, signedTransaction, quote: quote.optional() }),
  output: z.object({
    transactionHash: z.string(),
    status: z.string(),
    blockNumber: z.int().optional(),
    failure: failure.optional(),
  }),
  async run({ input, callProcedure }) {
    const operation = input['quote'] === undefined ? 'transaction.broadcast' : 'transaction.broadcastConvert'
    const data = await callProcedure<State>(operation, input)
    return { data, text: `${toText(data)} Track it with track_transaction.` }
  },
}

const trackTransaction: Tool = {
  name: 'track_transaction',
  description:
    'Returns the state of a transaction: pending, included, safe, finalized, failed, replaced, dropped or reorged. Only failed, replaced and dropped mean that it does not pay. Pass the last `cursor`, or `signedTransaction`, to learn about a replacement.',
  input: z.strictObject({
    chainId,
    transactionHash,
    cursor: z.string().optional(),
    signedTransaction: signedTransaction.optional(),
  }),
  output: z.object({
    transactionHash: z.string(),
    status: z.string(),
    blockNumber: z.int().optional(),
    finality: z.string().optional(),
    failure: failure.optional(),
    replacement: z.object({ transactionHash: z.string(), status: z.string(), kind: z.string().optional() }).optional(),
    cursor: z.string().optional(),
  }),
  async run({ input, callProcedure }) {
    // Agents pass all that they have, and the cursor contains the transaction.
    const { signedTransaction: first, ...others } = input
    const followed = input['cursor'] === undefined ? { ...others, signedTransaction: first } : others
    const data = await callProcedure<State>('transaction.track', followed)
    return { data, text: toText(data) }
  },
}

function toText({ transactionHash: hash, status, failure: failed }: State): string {
  return `${hash} is ${status}.${failed ? ` ${failed.message}.` : ''}`
}

type Receipt = State & {
  readonly amountIn?: string
  readonly amountOut?: string
  readonly tokenIn?: TokenReference
  readonly tokenOut?: TokenReference
}

const explainReceipt: Tool = {
  name: 'explain_receipt',
  description:
    'Explains a mined conversion: what was paid and received, and the parts of the difference from the amount at the prices of the oracles.',
  input: z.strictObject({ chainId, transactionHash, quote: quote.optional() }),
  output: z.object({
    transactionHash: z.string(),
    status: z.string(),
    payer: z.string().optional(),
    recipient: z.string().optional(),
    tokenIn: tokenReference.optional(),
    tokenOut: tokenReference.optional(),
    amountIn: z.string().optional(),
    amountOut: z.string().optional(),
    oracleAmountOut: z.string().optional(),
    parts: z.object({ priceMove: z.string(), impact: z.string(), fee: z.string(), rounding: z.string() }).optional(),
    routeFeeRate: z.string().optional(),
    confirmations: z.int().optional(),
    failure: failure.optional(),
  }),
  async run({ input, callProcedure }) {
    const data = await callProcedure<Receipt>('convert.receipt', input)
    const { amountIn, amountOut, tokenIn, tokenOut } = data
    const text =
      tokenIn && tokenOut && amountOut !== undefined
        ? `Paid ${formatAmount(amountIn, tokenIn)}, received ${formatAmount(amountOut, tokenOut)}.`
        : toText(data)
    return { data, text }
  },
}

/** The tools for transactions that a wallet has signed. */
export const transactionTools: readonly Tool[] = [broadcastSigned, trackTransaction, explainReceipt]
