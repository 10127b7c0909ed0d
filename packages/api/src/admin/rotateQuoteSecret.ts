import { z } from 'zod'
import { toActor } from '../procedure/Context.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { quoteSecret, toQuoteSecret } from './quoteSecret.ts'

/** Rotates the secret that signs quotes. */
export const rotateSecret = adminProcedure
  .meta({
    openapi: rest('POST /api/v1/admin/quotes/rotate-secret', 'Admin', {
      operationId: 'rotateQuoteSecret',
      summary: 'Rotate the secret that signs quotes',
      description:
        'Stores a new secret, which signs quotes a minute later, when every process has read it. Existing quotes remain valid: a replaced secret verifies for 90 days. Another rotation within that minute returns the same secret. No response contains the secret itself.',
    }),
    role: 'quotes',
  })
  .input(z.strictObject({}).optional())
  .output(quoteSecret)
  .mutation(async ({ ctx, path }) => toQuoteSecret(await ctx.store.quoteSecrets.rotate(toActor(ctx, path))))
