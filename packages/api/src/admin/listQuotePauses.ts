import { z } from 'zod'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { quotePauses, readQuotePauses } from './quotePauses.ts'

/** Lists the pairs of tokens for which quotes are paused. */
export const listPauses = adminProcedure
  .meta({
    openapi: rest('GET /api/v1/admin/quotes/pauses', 'Admin', {
      operationId: 'listQuotePauses',
      summary: 'List paused quotes',
      description: 'Returns the pairs of tokens for which quotes are paused, on all chains.',
    }),
    role: 'read',
  })
  .input(z.strictObject({}).optional())
  .output(quotePauses)
  .query(async ({ ctx }) => await readQuotePauses(ctx.store))
