import { z } from 'zod'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { requestFilter, requestRecord, toCallFilter, toRequestRecord } from '../usage/requestRecord.ts'
import { keyId } from './keyRecord.ts'

const keyedRequest = requestRecord
  .extend({ keyId: z.string().meta({ description: 'Id of the key', example: 'key_5Qm3xU8nW2aB' }) })
  .meta({ id: 'LoggedKeyRequest', description: 'A request in the log of an API key' })

/** Lists the logged requests of one key or of all keys. */
export const requests = adminProcedure
  .meta({
    openapi: rest('GET /api/v1/admin/requests', 'Admin', {
      operationId: 'listRequests',
      summary: 'List the latest requests of keys',
      description: 'Returns requests of one key or of all keys, newest first, as `usage/requests` does.',
    }),
    role: 'read',
  })
  .input(
    z
      .strictObject({
        keyId: keyId.describe('Only requests of this key').optional(),
        ...requestFilter,
      })
      .prefault({}),
  )
  .output(
    z
      .object({ requests: z.array(keyedRequest).describe('Requests, newest first') })
      .meta({ id: 'LoggedKeyRequestList', description: 'Requests of API keys' }),
  )
  .query(async ({ ctx, input: { keyId: ofKey, ...filter } }) => {
    const found = await ctx.store.requestLog.list({ keyId: ofKey, ...toCallFilter(filter) })
    return { requests: found.map((call) => ({ keyId: call.keyId, ...toRequestRecord(call) })) }
  })
