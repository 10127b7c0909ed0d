import { type PoolSide, toTimestamp } from '@agio/core'
import { z } from 'zod'
import { addressOut, chainIdInUrlOrDefault, timestamp } from '../schema/fields.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { priceResponse, toPriceResponse } from './priceResponse.ts'

const price = priceResponse.extend({ oracle: addressOut.nullable() }).meta({ id: 'OraclePrice' })

/** Tells what each token's oracle says. */
export const prices = procedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/oracle/prices/{chainId}',
      tags: ['Oracle'],
      summary: 'Oracle prices of all tokens',
    },
    errors: [],
  })
  .input(z.strictObject({ chainId: chainIdInUrlOrDefault }).prefault({}))
  .output(
    z.object({
      chainId: z.int(),
      chainName: z.string(),
      prices: z.record(z.string(), price).meta({ description: 'By token symbol' }),
      timestamp,
      blockNumber: z.int(),
    }),
  )
  .query(async ({ ctx, input: { chainId } }) => {
    const chain = getChain(ctx, chainId)
    const { pools, block } = await chain.getSnapshot()
    // Of two pools that price a token differently, that which asks an oracle for it has the last word.
    const sides = pools.flatMap(({ base, quote }) => [base, quote]).sort((one, other) => rank(one) - rank(other))
    return {
      chainId,
      chainName: chain.name,
      prices: Object.fromEntries(sides.map((side) => [side.token.symbol, toPrice(side, block.timestampSeconds)])),
      timestamp: toTimestamp(block.timestampSeconds),
      blockNumber: Number(block.number),
    }
  })

function rank({ price: { oracle } }: PoolSide): number {
  return oracle === null ? 0 : 1
}

function toPrice({ price: figures }: PoolSide, nowSeconds: bigint): z.output<typeof price> {
  return { oracle: figures.oracle, ...toPriceResponse(figures, nowSeconds) }
}
