import { Timestamp } from '@agio/core'
import { z } from 'zod'
import { blockNumber, blockTimestamp, chainIdInUrlOrDefault } from '../schema/fields.ts'
import { pageNumber, pageSize, pagination } from '../schema/pagination.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { pool, toPool } from './poolSchema.ts'

/** Lists the pools of a network. */
export const list = procedure
  .meta({
    scope: 'read',
    openapi: rest('GET /api/v1/pools', 'Pools', {
      operationId: 'listPools',
      summary: 'List the pools of a network',
      description: 'Returns a page of pools with their tokens and reserves at the newest block.',
    }),
  })
  .input(
    z
      .strictObject({
        chainId: chainIdInUrlOrDefault,
        page: pageNumber,
        limit: pageSize('pools', { maximum: 100, fallback: 20 }),
      })
      .prefault({}),
  )
  .output(
    z
      .object({
        pools: z.array(pool).describe('Pools of the page'),
        pagination: pagination('pools'),
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
