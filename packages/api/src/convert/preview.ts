import type { Snapshot } from '@agio/chain'
import {
  Amount,
  findConversionRoute,
  formatFee,
  Rate,
  recommendMinAmountOut,
  sidesOf,
  type Address,
  type ConversionRoute,
  toTimestamp,
} from '@agio/core'
import { z } from 'zod'
import { getPool } from '../pools/getPool.ts'
import { address, amount, chainIdOrDefault, decimal, timestamp } from '../schema/fields.ts'
import { getFreshSnapshot } from '../snapshot/getFreshSnapshot.ts'
import { getToken } from '../snapshot/getToken.ts'
import { tokenReference, toTokenReference } from '../schema/tokens.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure, type Meta } from '../trpc/procedure.ts'

const inputSchema = z.strictObject({
  chainId: chainIdOrDefault,
  poolAddress: address.optional(),
  tokenIn: address,
  tokenOut: address,
  amountIn: amount,
})

const outputSchema = z
  .object({
    amountIn: z.string(),
    amountOut: decimal,
    tokenIn: tokenReference,
    tokenOut: tokenReference,
    exchangeRate: decimal,
    inverseRate: decimal,
    fee: z.string().meta({ example: '0.05%' }),
    recommendedMinAmountOut: decimal,
    blockNumber: z.int(),
    blockTimestamp: timestamp,
  })
  .meta({ id: 'ConvertPreview' })

/**
 * Tells what a conversion pays now.
 *
 * @param openapi where it is found over REST: the interface has it at more than one path
 */
export function definePreview(openapi: NonNullable<Meta['openapi']>) {
  return procedure
    .meta({
      openapi,
      errors: [
        'svc/pool-not-found',
        'svc/unsupported-token',
        'svc/stale-price',
        'svc/above-max-origin',
        'svc/amount-too-small',
        'svc/pool-frozen',
        'svc/no-route',
        'svc/reverted',
      ],
    })
    .input(inputSchema)
    .output(outputSchema)
    .query(async ({ ctx, input }) => {
      const chain = getChain(ctx, input.chainId)
      const snapshot = await getFreshSnapshot(chain, ctx.now())
      const route = routeOf(snapshot, { ...input, referenceToken: chain.deployment.referenceToken })
      const [tokenIn, tokenOut] = [
        getToken(snapshot, input.tokenIn, 'tokenIn'),
        getToken(snapshot, input.tokenOut, 'tokenOut'),
      ]
      const amountInRaw = Amount.parse(input.amountIn, tokenIn.decimals, 'amountIn')
      const quoted = await chain.quote(snapshot, { route, amountInRaw })
      const { amountOutRaw, worstCaseOutRaw, block } = quoted
      const [paid, bought] = [
        { raw: amountInRaw, decimals: tokenIn.decimals },
        { raw: amountOutRaw, decimals: tokenOut.decimals },
      ]
      return {
        amountIn: input.amountIn,
        amountOut: Amount.format(amountOutRaw, tokenOut.decimals),
        tokenIn: toTokenReference(tokenIn),
        tokenOut: toTokenReference(tokenOut),
        exchangeRate: Rate.format(paid, bought),
        inverseRate: Rate.format(bought, paid),
        fee: formatFee(quoted.route[0].pool.epsilon),
        recommendedMinAmountOut: Amount.format(recommendMinAmountOut(amountOutRaw, worstCaseOutRaw), tokenOut.decimals),
        blockNumber: Number(block.number),
        blockTimestamp: toTimestamp(block.timestampSeconds),
      }
    })
}

/** Tells what a conversion pays now. */
export const preview = definePreview({
  method: 'POST',
  path: '/api/v1/convert/preview',
  tags: ['Convert'],
  summary: 'Preview a conversion',
  description: 'Without `poolAddress` the conversion takes the route that `transaction/build/convert` takes.',
})

type Request = {
  readonly poolAddress?: Address | undefined
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly referenceToken: Address
}

function routeOf(snapshot: Snapshot, { poolAddress, ...request }: Request): ConversionRoute {
  if (poolAddress === undefined) {
    getToken(snapshot, request.tokenIn, 'tokenIn')
    getToken(snapshot, request.tokenOut, 'tokenOut')
    return findConversionRoute(snapshot.pools, request)
  }
  const pool = getPool(snapshot, poolAddress)
  sidesOf(pool, request.tokenIn, request.tokenOut)
  return [{ pool, tokenIn: request.tokenIn, tokenOut: request.tokenOut }]
}
