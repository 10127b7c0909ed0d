import { z } from 'zod'
import { chainIdInUrlOrDefault, numberInUrl } from '../schema/fields.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { pool, toPool } from './poolSchema.ts'

const pageNumber = numberInUrl(z.int().min(1)).meta({
  override: { type: 'integer', minimum: 1 },
}) as unknown as z.ZodType<number, number>

const pageSize = numberInUrl(z.int().min(1).max(100)).meta({
  override: { type: 'integer', minimum: 1, maximum: 100 },
}) as unknown as z.ZodType<number, number>

/** Lists the pools of a network. */
export const list = procedure
  .meta({
    openapi: { method: 'GET', path: '/api/v1/pools', tags: ['Pools'], summary: 'List the pools of a network' },
    errors: [],
  })
  .input(
    z
      .strictObject({
        chainId: chainIdInUrlOrDefault,
        page: pageNumber.default(1).meta({ description: 'From 1' }),
        limit: pageSize.default(20).meta({ description: 'Pools on a page' }),
      })
      .prefault({}),
  )
  .output(
    z.object({
      pools: z.array(pool),
      pagination: z.object({ page: z.int(), limit: z.int(), total: z.int() }),
    }),
  )
  .query(async ({ ctx, input: { chainId, page, limit } }) => {
    const { pools } = await getChain(ctx, chainId).getSnapshot()
    const shown = pools.slice((page - 1) * limit, page * limit)
    return {
      pools: shown.map((state) => toPool(state, chainId)),
      pagination: { page, limit, total: pools.length },
    }
  })
