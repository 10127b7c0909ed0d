import { z } from 'zod'
import { getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { requestFilter, requestRecord, toCallFilter, toRequestRecord } from './requestRecord.ts'

/** Lists the logged requests of the key. */
export const requests = procedure
  .meta({
    scope: 'usage',
    openapi: rest('GET /api/v1/usage/requests', 'Usage', {
      operationId: 'listOwnRequests',
      summary: 'List the latest requests of the key',
      description:
        'Returns requests of the API key, newest first: refusals, and at most ten successful reads per second. They are kept for 7 days by default, and at most 100,000 per key.',
    }),
  })
  .input(z.strictObject(requestFilter).prefault({}))
  .output(
    z
      .object({ requests: z.array(requestRecord).describe('Requests, newest first') })
      .meta({ id: 'LoggedRequestList', description: 'Requests of an API key' }),
  )
  .query(async ({ ctx, input }) => {
    const found = await ctx.store.requestLog.list({ keyId: getKeyId(ctx), ...toCallFilter(input) })
    return { requests: found.map(toRequestRecord) }
  })
