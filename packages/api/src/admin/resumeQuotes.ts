import { toActor } from '../procedure/Context.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { quotePauses, readQuotePauses, tokenPair } from './quotePauses.ts'

/** Resumes quotes for a pair of tokens. */
export const resume = adminProcedure
  .meta({
    openapi: rest('POST /api/v1/admin/quotes/resume', 'Admin', {
      operationId: 'resumeQuotes',
      summary: 'Resume quotes for two tokens',
      description:
        'Ends a pause. New quotes are possible in every process within two seconds. Resuming a pair that is not paused changes nothing.',
    }),
    role: 'quotes',
  })
  .input(tokenPair)
  .output(quotePauses)
  .mutation(async ({ ctx, input: { chainId, tokenA, tokenB }, path }) => {
    await ctx.store.quotePauses.resume({ chainId, tokens: [tokenA, tokenB] }, toActor(ctx, path))
    return await readQuotePauses(ctx.store)
  })
