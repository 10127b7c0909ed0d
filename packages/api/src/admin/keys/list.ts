import { z } from 'zod'
import { adminProcedure } from '../../trpc/procedure.ts'
import { keyRecord, toKeyRecord } from './keyRecord.ts'

/** Lists all keys. */
export const list = adminProcedure
  .meta({
    openapi: { method: 'GET', path: '/api/v1/admin/keys', tags: ['Admin'], summary: 'All keys, the newest first' },
    errors: [],
  })
  .input(z.strictObject({}).optional())
  .output(z.object({ keys: z.array(keyRecord) }))
  .query(async ({ ctx }) => ({ keys: (await ctx.store.keys.list()).map(toKeyRecord) }))
