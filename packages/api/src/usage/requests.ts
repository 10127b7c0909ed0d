import { z } from 'zod'
import { getKeyId } from '../procedure/Context.ts'
import { procedure } from '../procedure/procedure.ts'
import { requestFilter, requestRecord, toCallFilter, toRequestRecord } from './requestRecord.ts'

/** Lists the logged requests of the key. */
export const requests = procedure
  .meta({
    scope: 'usage',
    openapi: {
      method: 'GET',
      path: '/api/v1/usage/requests',
      operationId: 'listOwnRequests',
      tags: ['Usage'],
      summary: 'List the latest requests of the key',
      description:
        'Returns requests of the API key, newest first: refusals, and at most ten successful reads per second. They are kept for 7 days by default, and at most 100,000 per key.',
    },
    errors: [],
  })
  .input(z.strictObject(requestFilter).prefault({}))
  .output(
    z
      .object({ requests: z.array(requestRecord).meta({ description: 'Requests, newest first' }) })
      .meta({ id: 'LoggedRequestList', description: 'Requests of an API key' }),
  )
  .query(async ({ ctx, input }) => {
    const found = await ctx.store.requestLog.list({ keyId: getKeyId(ctx), ...toCallFilter(input) })
    return { requests: found.map(toRequestRecord) }
  })
