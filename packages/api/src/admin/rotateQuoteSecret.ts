import { z } from 'zod'
import { timestamp } from '../schema/fields.ts'
import { adminProcedure } from '../procedure/procedure.ts'

/** Rotates the secret that signs quotes. */
export const rotateSecret = adminProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/admin/quotes/rotate-secret',
      operationId: 'rotateQuoteSecret',
      tags: ['Admin'],
      summary: 'Rotate the secret that signs quotes',
      description:
        'Stores a new secret, which signs quotes a minute later, when every process has read it. Existing quotes remain valid: a replaced secret verifies for 90 days. Another rotation within that minute returns the same secret. No response contains the secret itself.',
    },
    errors: [],
  })
  .input(z.strictObject({}).optional())
  .output(
    z
      .object({
        id: z
          .string()
          .meta({ description: 'Id of the new secret. Quotes begin with this id', example: 'rC0v-_3kP9xQ' }),
        createdAt: timestamp.meta({
          description: 'Time at which the secret was stored',
          example: '2026-11-21T05:00:00.000Z',
        }),
        signsFrom: timestamp.meta({
          description: 'Time from which the secret signs',
          example: '2026-11-21T05:01:00.000Z',
        }),
      })
      .meta({ id: 'QuoteSecret', description: 'A secret that signs quotes, without the secret itself' }),
  )
  .mutation(async ({ ctx }) => {
    const { id, createdAt, signsFrom } = await ctx.store.quoteSecrets.rotate()
    return { id, createdAt: createdAt.toISOString(), signsFrom: signsFrom.toISOString() }
  })
