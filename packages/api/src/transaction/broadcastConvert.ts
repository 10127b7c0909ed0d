import type { Chain, Receipt } from '@agio/chain'
import { Amount, analyseConversion, findConversionRoute, type Address } from '@agio/core'
import { z } from 'zod'
import { address, amount, amountOut as sameAmount, chainIdOrDefault, decimal, routeFeeRate } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getToken } from '../snapshot/getToken.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure, type Meta } from '../trpc/procedure.ts'
import { broadcastResult, signedTransaction, toBroadcastResult } from './broadcastResult.ts'
import { sendErrors } from './sendErrors.ts'
import { withTransactionHash } from './withTransactionHash.ts'

const convertAnalysis = z
  .object({
    amountIn: sameAmount.meta({ description: 'Amount paid, as requested' }),
    expectedAmountOut: sameAmount.meta({ description: 'Amount expected, as requested', example: '650.874400' }),
    actualAmountOut: decimal.meta({ description: 'Amount received' }),
    oracleAmountOut: decimal.meta({
      description: "Amount at the oracles' prices when it was executed, without a fee",
      example: '651.200000',
    }),
    fee: z
      .object({
        rate: z.string().meta({ description: 'Fee of the first pool', example: '0.05%' }),
        amount: decimal.meta({
          description: "Amount that all pools charge at the oracles' prices, in the token received",
          example: '0.325600',
        }),
      })
      .meta({ description: 'Fee of the conversion; `routeFeeRate` is the rate of `amount`' }),
    routeFeeRate,
    slippage: z
      .string()
      .regex(/^-?\d+\.\d{4}%$/)
      .meta({
        description: "Loss against the amount at the oracles' prices less 0.05 %; negative if more was received",
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

const inputSchema = z.strictObject({
  chainId: chainIdOrDefault,
  signedTransaction,
  expectedAmountOut: amount.meta({ description: '`amountOut` of the preview', example: '650.874400' }),
  amountIn: amount.meta({ description: 'Amount paid' }),
  tokenIn: address.meta({ description: 'Token paid', example: localExamples.tAUD }),
  tokenOut: address.meta({ description: 'Token received', example: localExamples.tUSD }),
})

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
 * @param openapi its REST path: the interface has one more, which is deprecated
 */
export function defineBroadcastConvert(openapi: NonNullable<Meta['openapi']>) {
  return procedure
    .meta({
      openapi,
      errors: sendErrors,
    })
    .input(inputSchema)
    .output(outputSchema)
    .mutation(async ({ ctx, input }) => {
      const chain = getChain(ctx, input.chainId)
      const signed = await chain.decodeSigned(input.signedTransaction)
      return await withTransactionHash(signed.hash, () => broadcastAndAnalyse(chain, signed, input))
    })
}

/** Broadcasts a signed conversion and compares it with the oracles' prices in its block. */
export const broadcastConvert = defineBroadcastConvert({
  method: 'POST',
  path: '/api/v1/transaction/broadcast/convert',
  operationId: 'broadcastConversion',
  tags: ['Transaction'],
  summary: 'Broadcast a signed conversion, with slippage analysis',
  description:
    'Broadcasts like `transaction/broadcast`, with the same errors, and adds `convert`. It is absent while the transaction is pending, if it failed or is no such conversion, and if the prices that it was executed at cannot be read; repeating the request later returns it.',
})

type Signed = Awaited<ReturnType<Chain['decodeSigned']>>

async function broadcastAndAnalyse(
  chain: Chain,
  signed: Signed,
  input: Conversion,
): Promise<z.output<typeof outputSchema>> {
  const amountInRaw = await checkConversion(chain, input)
  await chain.send(signed)
  const receipt = await chain.waitForReceipt(signed.hash)
  const result = await toBroadcastResult(chain, signed.hash, receipt)
  if (receipt?.status !== 'success') return result
  const { amountIn, expectedAmountOut } = input
  // A node that no longer has the block must not hide the receipt.
  const analysis = await analyse(chain, receipt, { ...input, amountInRaw }).catch(() => undefined)
  return { ...result, ...(analysis && { convert: { amountIn, expectedAmountOut, ...analysis } }) }
}

type Conversion = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: string
  readonly expectedAmountOut: string
}

/** Returns the raw input amount; throws before anything is sent if the amounts or the tokens are invalid. */
async function checkConversion(chain: Chain, { tokenIn, tokenOut, ...amounts }: Conversion): Promise<bigint> {
  const snapshot = await chain.getSnapshot()
  const [{ decimals }, out] = [getToken(snapshot, tokenIn, 'tokenIn'), getToken(snapshot, tokenOut, 'tokenOut')]
  findConversionRoute(snapshot.pools, { tokenIn, tokenOut, referenceToken: chain.deployment.referenceToken })
  Amount.parse(amounts.expectedAmountOut, out.decimals, 'expectedAmountOut')
  return Amount.parse(amounts.amountIn, decimals, 'amountIn')
}

type Analysed = Pick<Conversion, 'tokenIn' | 'tokenOut'> & { readonly amountInRaw: bigint }

/** The analysis at the prices that the conversion was executed at; undefined if there is none, or if they are unknown. */
async function analyse(
  chain: Chain,
  receipt: Receipt,
  { tokenIn, tokenOut, amountInRaw }: Analysed,
): Promise<analyseConversion.Analysis | undefined> {
  const { conversions } = await chain.readConversions(receipt)
  const ofPair = [...conversions].filter((each) => each.tokenIn === tokenIn && each.tokenOut === tokenOut)
  // A smart account may convert the same tokens several times in one transaction.
  const conversion = ofPair.find((each) => each.amountInRaw === amountInRaw) ?? ofPair[0]
  const { prices, amountOutRaw: actualAmountOutRaw = 0n } = conversion ?? {}
  return prices && analyseConversion(prices, { amountInRaw, actualAmountOutRaw })
}
