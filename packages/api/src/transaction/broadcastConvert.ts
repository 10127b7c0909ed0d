import type { Chain, Receipt } from '@agio/chain'
import { Amount, analyseConversion, findConversionRoute, type Address } from '@agio/core'
import { z } from 'zod'
import { address, amount, chainIdOrDefault, decimal, hexBytes } from '../schema/fields.ts'
import { getToken } from '../snapshot/getToken.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure, type Meta } from '../trpc/procedure.ts'
import { broadcastResult, toBroadcastResult } from './broadcastResult.ts'
import { sendErrors } from './sendErrors.ts'

const convertAnalysis = z
  .object({
    amountIn: z.string(),
    expectedAmountOut: z.string(),
    actualAmountOut: decimal,
    oracleAmountOut: decimal,
    fee: z.object({ rate: z.string().meta({ example: '0.05%' }), amount: decimal }),
    slippage: z.string().regex(/^-?\d+\.\d{4}%$/),
    executedRate: decimal,
    oracleRate: decimal,
  })
  .meta({ id: 'ConvertAnalysis' })

const inputSchema = z.strictObject({
  chainId: chainIdOrDefault,
  signedTransaction: hexBytes,
  expectedAmountOut: amount,
  amountIn: amount,
  tokenIn: address,
  tokenOut: address,
})

const outputSchema = broadcastResult
  .extend({ convert: convertAnalysis.optional() })
  .meta({ id: 'BroadcastConvertResult' })

/**
 * Sends a signed conversion and compares what it paid with the oracles' prices in its block.
 *
 * @param openapi where it is found over REST: the interface has it at more than one path
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
      const amountInRaw = await checkConversion(chain, input)
      const signed = await chain.decodeSigned(input.signedTransaction)
      await chain.send(signed)
      const receipt = await chain.waitForReceipt(signed.hash)
      const result = await toBroadcastResult(chain, signed.hash, receipt)
      if (receipt?.status !== 'success') return result
      const actualAmountOutRaw = chain.sumReceived(receipt, input.tokenOut, signed.from)
      const { amountIn, expectedAmountOut } = input
      // What became of the transaction must not be hidden by a node that no longer knows its block.
      const analysis = await analyse(chain, receipt, { ...input, amountInRaw, actualAmountOutRaw }).catch(
        () => undefined,
      )
      return { ...result, ...(analysis && { convert: { amountIn, expectedAmountOut, ...analysis } }) }
    })
}

/** Sends a signed conversion and compares what it paid with the oracles' prices in its block. */
export const broadcastConvert = defineBroadcastConvert({
  method: 'POST',
  path: '/api/v1/transaction/broadcast/convert',
  tags: ['Transaction'],
  summary: 'Broadcast a signed conversion, with slippage analysis',
  description:
    '`convert` is absent while the transaction is pending, when it failed, and if the node cannot tell the prices of its block; the same call later returns it.',
})

type Conversion = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: string
  readonly expectedAmountOut: string
}

/** Refuses figures that do not fit the tokens, before anything is sent. */
async function checkConversion(chain: Chain, { tokenIn, tokenOut, ...amounts }: Conversion): Promise<bigint> {
  const snapshot = await chain.getSnapshot()
  const [{ decimals }, out] = [getToken(snapshot, tokenIn, 'tokenIn'), getToken(snapshot, tokenOut, 'tokenOut')]
  findConversionRoute(snapshot.pools, { tokenIn, tokenOut, referenceToken: chain.deployment.referenceToken })
  Amount.parse(amounts.expectedAmountOut, out.decimals, 'expectedAmountOut')
  return Amount.parse(amounts.amountIn, decimals, 'amountIn')
}

async function analyse(
  chain: Chain,
  { blockHash, blockNumber }: Receipt,
  { tokenIn, tokenOut, ...amounts }: analyseConversion.Conversion & Pick<Conversion, 'tokenIn' | 'tokenOut'>,
): Promise<analyseConversion.Analysis> {
  const { pools } = await chain.getSnapshotAt({ hash: blockHash, number: blockNumber })
  const route = findConversionRoute(pools, { tokenIn, tokenOut, referenceToken: chain.deployment.referenceToken })
  return analyseConversion(route, amounts)
}
