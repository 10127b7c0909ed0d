import { z } from 'zod'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { pagination } from '../schema/pagination.ts'
import { keyPage, keyRecord, toKeyRecord } from './keyRecord.ts'

/** Lists the keys, page by page. */
export const list = adminProcedure
  .meta({
    openapi: rest('GET /api/v1/admin/keys', 'Admin', {
      operationId: 'listApiKeys',
      summary: 'List the keys',
      description: 'Returns a page of keys without their secrets, newest first.',
    }),
    role: 'read',
  })
  .input(z.strictObject(keyPage).prefault({}))
  .output(
    z
      .object({
        keys: z.array(keyRecord).describe('Keys of the page, newest first'),
        pagination: pagination('keys'),
      })
      .meta({ id: 'ApiKeyList', description: 'A page of API keys' }),
  )
  .query(async ({ ctx, input }) => {
    const { keys, total } = await ctx.store.keys.list(input)
    return { keys: keys.map(toKeyRecord), pagination: { ...input, total } }
  })
