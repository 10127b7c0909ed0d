import { z } from 'zod'
import { toActor } from '../procedure/Context.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { quoteSecret, toQuoteSecret } from './quoteSecret.ts'

/** Revokes all secrets that sign quotes. */
export const revokeSecrets = adminProcedure
  .meta({
    openapi: rest('POST /api/v1/admin/quotes/revoke-secrets', 'Admin', {
      operationId: 'revokeQuoteSecrets',
      summary: 'Revoke all secrets that sign quotes',
      description:
        'Deletes all secrets, and creates a new one that signs at once. All earlier quotes are then `svc/quote-invalid`, in every process within two seconds. Use it after a leak. No response contains the secret itself.',
    }),
    role: 'quotes',
  })
  .input(z.strictObject({}).optional())
  .output(quoteSecret)
  .mutation(async ({ ctx, path }) => toQuoteSecret(await ctx.store.quoteSecrets.revokeAll(toActor(ctx, path))))
