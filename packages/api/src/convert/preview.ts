import type { PricedConversion } from '@agio/chain'
import { Amount, Fee, Rate, Route, Slippage, Timestamp, type Token } from '@agio/core'
import { z } from 'zod'
import { amountErrors, routeErrors } from '../errors/errorLists.ts'
import {
  address,
  amount,
  amountOut as sameAmount,
  blockNumber,
  blockTimestamp,
  chainIdOrDefault,
  decimal,
  routeFeeRate,
} from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getFreshSnapshot, getToken, resolveRoute } from '../pools/snapshot.ts'
import { otherTokenExample, tokenReference, toTokenReference } from '../schema/tokens.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, type Meta } from '../procedure/procedure.ts'
import { marketState, toMarketState } from '../market/marketState.ts'

const inputSchema = z.strictObject({
  chainId: chainIdOrDefault,
  poolAddress: address.optional().meta({
    description: 'Pool to convert in. Default: the route of `transaction/build/convert`',
    example: localExamples.pool,
  }),
  tokenIn: address.meta({ description: 'Token to pay', example: localExamples.tAUD }),
  tokenOut: address.meta({ description: 'Token to receive', example: localExamples.tUSD }),
  amountIn: amount.describe('Amount to pay'),
})

const outputSchema = z
  .object({
    amountIn: sameAmount.describe('Amount to pay, as requested'),
    amountOut: decimal.describe('Amount received at that block, after the fee'),
    tokenIn: tokenReference.meta({ description: 'Token to pay', example: otherTokenExample }),
    tokenOut: tokenReference.describe('Token to receive'),
    exchangeRate: decimal.meta({ description: '`amountOut` per `amountIn`', example: '0.65087440' }),
    inverseRate: decimal.meta({ description: '`amountIn` per `amountOut`', example: '1.53639473' }),
    fee: z.string().meta({ description: 'Fee of the first pool, included in `amountOut`', example: '0.05%' }),
    routeFeeRate,
    market: marketState.optional(),
    recommendedMinAmountOut: decimal.meta({
      description:
        'Recommended `minAmountOut` of `transaction/build/convert`: `amountOut` less 0.05 %, or a lower amount if the pool may pay less',
      example: '650.548962',
    }),
    blockNumber,
    blockTimestamp,
  })
  .meta({ id: 'ConvertPreview', description: 'The result of a conversion if it were mined in the newest block' })

/**
 * Defines a procedure that previews a conversion at the newest block.
 *
 * @param openapi the REST path. A second, deprecated path exists
 */
export function definePreview(openapi: NonNullable<Meta['openapi']>) {
  return procedure
    .meta({
      scope: 'read',
      openapi,
      errors: ['svc/pool-not-found', ...routeErrors, ...amountErrors],
    })
    .input(inputSchema)
    .output(outputSchema)
    .query(async ({ ctx, input }) => {
      const chain = getChain(ctx, input.chainId)
      const snapshot = await getFreshSnapshot(chain, ctx.now())
      const route = resolveRoute(chain, snapshot, input)
      const [tokenIn, tokenOut] = [
        getToken(snapshot, input.tokenIn, 'tokenIn'),
        getToken(snapshot, input.tokenOut, 'tokenOut'),
      ]
      const amountInRaw = Amount.parse(input.amountIn, tokenIn.decimals, 'amountIn')
      const quoted = await chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
      return toPreview(quoted, { amountIn: input.amountIn, amountInRaw, tokenIn, tokenOut })
    })
}

/** Previews a conversion at the newest block. */
export const preview = definePreview({
  method: 'POST',
  path: '/api/v1/convert/preview',
  operationId: 'previewConversion',
  tags: ['Convert'],
  summary: 'Preview a conversion',
  description:
    'Returns the output of a conversion at the newest block, exact to the last unit. Without `poolAddress`, the conversion uses the direct pool of the two tokens, or two pools through the reference dollar.',
})

type Conversion = {
  /** As requested. */
  readonly amountIn: string
  readonly amountInRaw: bigint
  readonly tokenIn: Token
  readonly tokenOut: Token
}

function toPreview(
  { route, amountOutRaw, worstCaseOutRaw, block }: PricedConversion,
  { amountIn, amountInRaw, tokenIn, tokenOut }: Conversion,
) {
  const input = { raw: amountInRaw, decimals: tokenIn.decimals }
  const output = { raw: amountOutRaw, decimals: tokenOut.decimals }
  return {
    amountIn,
    amountOut: Amount.format(amountOutRaw, tokenOut.decimals),
    tokenIn: toTokenReference(tokenIn),
    tokenOut: toTokenReference(tokenOut),
    exchangeRate: Rate.format(input, output),
    inverseRate: Rate.format(output, input),
    fee: Fee.format(route[0].pool.epsilon),
    routeFeeRate: Fee.formatRoute(Route.mapHops(route, ({ pool }) => pool)),
    recommendedMinAmountOut: Amount.format(
      Slippage.recommendMinAmountOut(amountOutRaw, worstCaseOutRaw),
      tokenOut.decimals,
    ),
    blockNumber: Number(block.number),
    blockTimestamp: Timestamp.fromSeconds(block.timestampSeconds),
    // V8 defines each property after a spread one by one, which is slow.
    ...toMarketState(route, block.timestampSeconds),
  }
}
