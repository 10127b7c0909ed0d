import type { Chain, Receipt } from '@agio/chain'
import { Amount, Client, Conversion, Network, type Address } from '@agio/core'
import { z } from 'zod'
import { quoteErrors, sendErrors } from '../errors/errorLists.ts'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import {
  address,
  amount,
  amountOut as sameAmount,
  chainId,
  decimal,
  routeFeeRate,
  quoteText,
} from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { refuseFields, requireFields } from '../schema/requireFields.ts'
import { getToken, resolveRoute } from '../pools/snapshot.ts'
import { type Context, getChain, outlivingClient } from '../procedure/Context.ts'
import { procedure, type Meta } from '../procedure/procedure.ts'
import { assertSendable, decodeQuoted } from './assertQuoted.ts'
import { broadcastResult, signedTransaction, toBroadcastResult } from './broadcastResult.ts'
import { observeExpiry, openQuote } from './openQuote.ts'
import { sendFollowed, withTransactionHash } from './sendFollowed.ts'

const convertAnalysis = z
  .object({
    amountIn: sameAmount.describe('Amount paid, as requested. With a quote, the amount actually paid'),
    expectedAmountIn: decimal
      .optional()
      .meta({ description: 'Amount to pay by the quote. Only with a quote', example: '1000.000000' }),
    expectedAmountOut: sameAmount.meta({
      description: 'Expected amount, as requested or quoted',
      example: '650.874400',
    }),
    actualAmountOut: decimal.describe('Amount received'),
    oracleAmountOut: decimal.meta({
      description: "Amount at the oracles' prices of the execution, without a fee",
      example: '651.200000',
    }),
    fee: z
      .object({
        rate: z.string().meta({ description: 'Fee of the first pool', example: '0.05%' }),
        amount: decimal.meta({
          description: "Fee of all pools at the oracles' prices, in the received token",
          example: '0.325600',
        }),
      })
      .describe('Fee of the conversion. `routeFeeRate` is the rate of `amount`'),
    routeFeeRate,
    slippage: z
      .string()
      .regex(/^-?\d+\.\d{4}%$/)
      .meta({
        description: "Loss compared with the amount at the oracles' prices less 0.05 %. Negative if more was received",
        example: '0.0000%',
      }),
    executedRate: decimal.meta({ description: '`actualAmountOut` per `amountIn`', example: '0.65087440' }),
    oracleRate: decimal.meta({ description: '`oracleAmountOut` per `amountIn`', example: '0.65120000' }),
  })
  .meta({ id: 'ConvertAnalysis', description: "A conversion compared with the oracles' prices in its block" })

const analysisExample = {
  amountIn: '1000',
  expectedAmountOut: '650.874400',
  actualAmountOut: '650.874400',
  oracleAmountOut: '651.200000',
  fee: { rate: '0.05%', amount: '0.325600' },
  routeFeeRate: '0.05%',
  slippage: '0.0000%',
  executedRate: '0.65087440',
  oracleRate: '0.65120000',
}

const pricedFields = ['expectedAmountOut', 'amountIn', 'tokenIn', 'tokenOut'] as const

const inputSchema = z.strictObject({
  chainId: chainId
    .optional()
    .describe(`Chain id of the network. Default: the chain of the quote, or ${Network.defaultChainId} without a quote`),
  signedTransaction,
  quote: quoteText
    .optional()
    .describe('Quote of `convert/quote` that the transaction must execute. Do not send the fields below with a quote'),
  expectedAmountOut: amount
    .optional()
    .meta({ description: '`amountOut` of the preview. Required without a quote', example: '650.874400' }),
  amountIn: amount.optional().describe('Amount paid. Required without a quote'),
  tokenIn: address
    .optional()
    .meta({ description: 'Token paid. Required without a quote', example: localExamples.tAUD }),
  tokenOut: address
    .optional()
    .meta({ description: 'Token received. Required without a quote', example: localExamples.tUSD }),
})

const inputExample = {
  chainId: Network.defaultChainId,
  signedTransaction: '0x02f86b',
  expectedAmountOut: '650.874400',
  amountIn: '1000',
  tokenIn: localExamples.tAUD,
  tokenOut: localExamples.tUSD,
}

const outputSchema = broadcastResult
  .extend({
    convert: convertAnalysis
      .optional()
      .meta({ description: 'Analysis of a successful conversion, if its prices are known', example: analysisExample }),
  })
  .meta({ id: 'BroadcastConvertResult', description: 'The state of a broadcast conversion, with its analysis' })

/**
 * Defines a procedure that broadcasts a signed conversion and compares it with the oracles' prices in its block.
 *
 * @param openapi the REST path. A second, deprecated path exists
 */
export function defineBroadcastConvert(openapi: NonNullable<Meta['openapi']>) {
  return procedure
    .meta({
      scope: 'broadcast',
      openapi,
      example: inputExample,
      errors: [...sendErrors, ...quoteErrors],
    })
    .input(inputSchema)
    .output(outputSchema)
    .mutation(({ ctx, input: { quote, ...request } }) =>
      quote === undefined
        ? broadcastPriced(ctx, request)
        : observeExpiry(ctx.quotes, quote, () => broadcastQuoted(ctx, { ...request, quote })),
    )
}

/** Broadcasts a signed conversion and compares it with the oracles' prices in its block. */
export const broadcastConvert = defineBroadcastConvert({
  method: 'POST',
  path: '/api/v1/transaction/broadcast/convert',
  operationId: 'broadcastConversion',
  tags: ['Transaction'],
  summary: 'Broadcast a signed conversion, with slippage analysis',
  description:
    'Broadcasts like `transaction/broadcast`, with the same errors, and adds `convert`. `convert` is absent while the transaction is pending, and if it failed or is not this conversion. It is also absent if the prices of its execution cannot be read. Repeat the request later to get it. With a quote, the transaction is sent only if it executes that quote.',
})

type Request = Omit<z.output<typeof inputSchema>, 'quote'>

type Response = z.output<typeof outputSchema>

async function broadcastPriced(ctx: Context, input: Request): Promise<Response> {
  requireFields(input, pricedFields)
  const chain = getChain(ctx, input.chainId ?? Network.defaultChainId)
  const signed = await chain.transactions.decodeSigned(input.signedTransaction)
  return await withTransactionHash(signed.hash, async () => {
    const amountInRaw = await checkConversion(chain, input)
    const { result, receipt } = await sendAndWait(ctx, chain, signed)
    const { tokenIn, tokenOut, amountIn, expectedAmountOut } = input
    const conversion = await findConversion(chain, receipt, { tokenIn, tokenOut, amountInRaw })
    if (!conversion?.prices) return result
    const { prices, amountOutRaw: actualAmountOutRaw } = conversion
    const analysis = Conversion.analyse(prices, { amountInRaw, actualAmountOutRaw })
    return { ...result, convert: { amountIn, expectedAmountOut, ...analysis } }
  })
}

async function broadcastQuoted(ctx: Context, input: Request & { readonly quote: string }): Promise<Response> {
  refuseFields(input, pricedFields, 'the quote fixes it')
  const { terms, chain } = await openQuote(ctx, input)
  const signed = await decodeQuoted(chain, { terms, quote: input.quote }, input.signedTransaction)
  return await withTransactionHash(signed.hash, async () => {
    await assertSendable(chain, signed, { terms, nowMs: ctx.now() })
    // A quote that is mined is observed, also for a client that disconnects.
    const execution = executeQuoted(outlivingClient(ctx), { quote: input.quote, terms }, signed)
    return await (ctx.client ? Client.untilAborted(execution, ctx.client) : execution)
  })
}

async function executeQuoted(ctx: Context, { quote, terms }: Quoted, signed: SignedTransaction): Promise<Response> {
  const chain = getChain(ctx, terms.chainId)
  const { result, receipt } = await sendAndWait(ctx, chain, signed)
  const conversion = await findConversion(chain, receipt, terms)
  if (!conversion) return result
  const { prices, amountInRaw, amountOutRaw: actualAmountOutRaw } = conversion
  ctx.quotes.observeMined(quote, terms, conversion)
  const analysis = prices && Conversion.analyse(prices, { amountInRaw, actualAmountOutRaw })
  return { ...result, ...(analysis && { convert: { ...toExpected(terms, amountInRaw), ...analysis } }) }
}

type Quoted = { readonly quote: string; readonly terms: QuoteTerms }

type SignedTransaction = Awaited<ReturnType<Chain['transactions']['decodeSigned']>>

function toExpected({ hops, amountIn, amountOut }: QuoteTerms, amountInRaw: bigint) {
  const [{ decimalsIn }, { decimalsOut }] = [hops[0], hops.at(-1) ?? hops[0]]
  return {
    amountIn: Amount.format(amountInRaw, decimalsIn),
    expectedAmountIn: Amount.format(BigInt(amountIn), decimalsIn),
    expectedAmountOut: Amount.format(BigInt(amountOut), decimalsOut),
  }
}

/** Sends a transaction and waits until it is mined; the receipt is undefined unless it succeeded. */
async function sendAndWait(ctx: Context, chain: Chain, signed: SignedTransaction) {
  await sendFollowed(ctx, chain, signed)
  const receipt = await chain.transactions.waitForReceipt(signed)
  const result = await toBroadcastResult(chain, signed.hash, receipt)
  return { result, receipt: receipt?.status === 'success' ? receipt : undefined }
}

type ConversionTerms = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: string
  readonly expectedAmountOut: string
}

/** Returns the raw input amount. Throws if the amounts or the tokens are invalid, before anything is sent. */
async function checkConversion(chain: Chain, { tokenIn, tokenOut, ...amounts }: ConversionTerms): Promise<bigint> {
  const snapshot = await chain.pools.getSnapshot()
  const [{ decimals }, out] = [getToken(snapshot, tokenIn, 'tokenIn'), getToken(snapshot, tokenOut, 'tokenOut')]
  resolveRoute(chain, snapshot, { tokenIn, tokenOut })
  Amount.parse(amounts.expectedAmountOut, out.decimals, 'expectedAmountOut')
  return Amount.parse(amounts.amountIn, decimals, 'amountIn')
}

type Criteria = Pick<ConversionTerms, 'tokenIn' | 'tokenOut'> & {
  /** The input, if it is fixed. */
  readonly amountInRaw?: bigint
}

/**
 * Returns the conversion of a mined transaction between two tokens, with its prices if they are known; undefined
 * without such a conversion.
 */
async function findConversion(
  chain: Chain,
  receipt: Receipt | undefined,
  { tokenIn, tokenOut, amountInRaw }: Criteria,
) {
  // A node that no longer has the block must not hide the receipt.
  const mined = receipt && (await chain.transactions.readConversions(receipt).catch(() => undefined))
  const ofPair = [...(mined?.conversions ?? [])].filter(
    (each) => each.tokenIn === tokenIn && each.tokenOut === tokenOut,
  )
  // A smart account may convert the same tokens several times in one transaction.
  return ofPair.find((each) => each.amountInRaw === amountInRaw) ?? ofPair[0]
}
