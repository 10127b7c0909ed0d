import { Timestamp } from '@agio/core'
import { z } from 'zod'
import { blockNumber, blockTimestamp, chainIdInUrlOrDefault, integerInUrl, wholeNumber } from '../schema/fields.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure } from '../procedure/procedure.ts'
import { pool, toPool } from './poolSchema.ts'

const pageNumber = integerInUrl({ minimum: 1, maximum: 1_000_000 })

const pageSize = integerInUrl({ minimum: 1, maximum: 100 })

/** Lists the pools of a network. */
export const list = procedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/pools',
      operationId: 'listPools',
      tags: ['Pools'],
      summary: 'List the pools of a network',
      description: 'Returns a page of pools with their tokens and reserves at the newest block.',
    },
    errors: [],
  })
  .input(
    z
      .strictObject({
        chainId: chainIdInUrlOrDefault,
        page: pageNumber.default(1).meta({ description: 'Number of the page, from 1', example: 1 }),
        limit: pageSize.default(20).meta({ description: 'Maximum number of pools per page', example: 20 }),
      })
      .prefault({}),
  )
  .output(
    z
      .object({
        pools: z.array(pool).meta({ description: 'Pools of the page' }),
        pagination: z
          .object({
            page: wholeNumber.meta({ description: 'Number of the page', example: 1 }),
            limit: wholeNumber.meta({ description: 'Maximum number of pools per page', example: 20 }),
            total: wholeNumber.meta({ description: 'Number of all pools', example: 2 }),
          })
          .meta({ description: 'Position of the page' }),
        blockNumber,
        blockTimestamp,
      })
      .meta({ id: 'PoolList', description: 'A page of pools' }),
  )
  .query(async ({ ctx, input: { chainId, page, limit } }) => {
    const { pools, block } = await getChain(ctx, chainId).pools.getSnapshot()
    const listed = pools.slice((page - 1) * limit, page * limit)
    return {
      pools: listed.map((state) => toPool(state, chainId)),
      pagination: { page, limit, total: pools.length },
      blockNumber: Number(block.number),
      blockTimestamp: Timestamp.fromSeconds(block.timestampSeconds),
    }
  })
