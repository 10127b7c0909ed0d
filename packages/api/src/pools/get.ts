import { findMaxAmountIn, formatFee, type PoolSide } from '@agio/core'
import { z } from 'zod'
import { address, addressOut, chainIdInUrlOrDefault, decimal } from '../schema/fields.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { priceResponse, toPriceResponse } from '../oracle/priceResponse.ts'
import { getPool } from './getPool.ts'
import { pool, toPool } from './poolSchema.ts'

const oracle = priceResponse.extend({ address: addressOut.nullable() })

/** Shows one pool with its fee, its prices and the largest input each way. */
export const get = procedure
  .meta({
    openapi: { method: 'GET', path: '/api/v1/pools/{poolAddress}', tags: ['Pools'], summary: 'Show one pool' },
    errors: ['svc/pool-not-found'],
  })
  .input(z.strictObject({ poolAddress: address, chainId: chainIdInUrlOrDefault }))
  .output(
    pool.extend({
      fee: z.string().meta({ example: '0.05%' }),
      oracles: z.object({ token0: oracle, token1: oracle }),
      maxAmountIn: z.object({ token0: decimal, token1: decimal }).optional().meta({
        description:
          'The largest input of each token; absent while a price is stale or the pool frozen, and for a pool that only its own view can price',
      }),
      blockNumber: z.int(),
    }),
  )
  .query(async ({ ctx, input: { chainId, poolAddress } }) => {
    const snapshot = await getChain(ctx, chainId).getSnapshot()
    const state = getPool(snapshot, poolAddress)
    const { base, quote } = state
    const { number, timestampSeconds } = snapshot.block
    const [token0, token1] = [
      findMaxAmountIn(state, [base, quote], timestampSeconds),
      findMaxAmountIn(state, [quote, base], timestampSeconds),
    ]
    return {
      ...toPool(state, chainId),
      fee: formatFee(state.epsilon),
      oracles: { token0: toOracle(base, timestampSeconds), token1: toOracle(quote, timestampSeconds) },
      ...(token0 !== undefined && token1 !== undefined && { maxAmountIn: { token0, token1 } }),
      blockNumber: Number(number),
    }
  })

function toOracle({ price }: PoolSide, nowSeconds: bigint): z.output<typeof oracle> {
  return { address: price.oracle, ...toPriceResponse(price, nowSeconds) }
}
