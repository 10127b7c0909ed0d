import { z } from 'zod'
import { adminProcedure } from '../procedure/procedure.ts'
import { keyRecord, toKeyRecord } from './keyRecord.ts'

/** Lists all keys. */
export const list = adminProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/admin/keys',
      operationId: 'listApiKeys',
      tags: ['Admin'],
      summary: 'List all keys',
      description: 'Returns all keys without their secrets, newest first.',
    },
    errors: [],
  })
  .input(z.strictObject({}).optional())
  .output(
    z
      .object({ keys: z.array(keyRecord).meta({ description: 'All keys, newest first' }) })
      .meta({ id: 'ApiKeyList', description: 'All API keys' }),
  )
  .query(async ({ ctx }) => ({ keys: (await ctx.store.keys.list()).map(toKeyRecord) }))
