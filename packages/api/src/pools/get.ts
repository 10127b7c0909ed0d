import { Fee, Swap, Timestamp, type Pool } from '@agio/core'
import { z } from 'zod'
import { address, addressOut, blockNumber, blockTimestamp, chainIdInUrlOrDefault, decimal } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { priceResponse, toPriceResponse } from '../market/priceResponse.ts'
import { getPool } from './snapshot.ts'
import { pool, toPool } from './poolSchema.ts'

const oracle = priceResponse
  .extend({
    address: addressOut.nullable().meta({
      description: 'Address of the oracle. Null for the reference dollar, whose price is fixed',
      example: localExamples.oracle,
    }),
  })
  .meta({ id: 'PoolOracle', description: 'The price that a pool uses for a token' })

const fixedPriceExample = {
  usd: '1.00',
  lastUpdate: '2026-11-21T05:00:00.000Z',
  maxAgeSeconds: null,
  stale: false,
  address: null,
}

/** The response of `pools.get`. */
export const poolResponse = pool
  .extend({
    fee: z.string().meta({ description: 'Fee of a conversion', example: '0.05%' }),
    oracles: z
      .object({
        token0: oracle.describe('Price of the first token'),
        token1: oracle.meta({ description: 'Price of the second token', example: fixedPriceExample }),
      })
      .describe('Prices at which the pool converts'),
    maxAmountIn: z
      .object({
        token0: decimal.meta({ description: 'Largest input of the first token', example: '767813.267813' }),
        token1: decimal.meta({ description: 'Largest input of the second token', example: '500000.000000' }),
      })
      .optional()
      .meta({
        description:
          'Largest input of each token. Absent while a price is stale or the pool is frozen, and for a pool that must be priced on chain',
        example: { token0: '767813.267813', token1: '500000.000000' },
      }),
    blockNumber,
    blockTimestamp,
  })
  .meta({ id: 'PoolDetails', description: 'A pool with its fee, prices and limits' })

/** Returns a pool with its fee, its prices and the largest input of each token. */
export const get = procedure
  .meta({
    scope: 'read',
    openapi: rest('GET /api/v1/pools/{poolAddress}', 'Pools', {
      operationId: 'getPool',
      summary: 'Get a pool',
      description:
        'Returns a pool with its fee, its oracle prices and the largest input of each token at the newest block.',
    }),
    errors: ['svc/pool-not-found'],
  })
  .input(
    z.strictObject({
      poolAddress: address.meta({ description: 'Address of the pool', example: localExamples.pool }),
      chainId: chainIdInUrlOrDefault,
    }),
  )
  .output(poolResponse)
  .query(async ({ ctx, input: { chainId, poolAddress } }) => {
    const snapshot = await getChain(ctx, chainId).pools.getSnapshot()
    const state = getPool(snapshot, poolAddress)
    const { base, quote } = state
    const { number, timestampSeconds } = snapshot.block
    const [token0, token1] = [
      Swap.findMaxAmountIn({ pool: state, origin: base, target: quote }, timestampSeconds),
      Swap.findMaxAmountIn({ pool: state, origin: quote, target: base }, timestampSeconds),
    ]
    return {
      ...toPool(state, chainId),
      fee: Fee.format(state.epsilon),
      oracles: { token0: toOracle(base, timestampSeconds), token1: toOracle(quote, timestampSeconds) },
      ...(token0 !== undefined && token1 !== undefined && { maxAmountIn: { token0, token1 } }),
      blockNumber: Number(number),
      blockTimestamp: Timestamp.fromSeconds(timestampSeconds),
    }
  })

function toOracle({ price }: Pool.Side, nowSeconds: bigint): z.output<typeof oracle> {
  return { address: price.oracle, ...toPriceResponse(price, nowSeconds) }
}
