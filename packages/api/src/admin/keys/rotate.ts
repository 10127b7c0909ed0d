import { z } from 'zod'
import { exact, timestamp } from '../../schema/fields.ts'
import { adminProcedure } from '../../trpc/procedure.ts'
import { issuedKey, keyId, toKeyRecord } from './keyRecord.ts'

const daySeconds = 86_400

/** Gives a key a new secret. */
export const rotate = adminProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/admin/keys/{id}/rotate',
      tags: ['Admin'],
      summary: 'Give a key a new secret',
      description: 'The older secrets work on for the overlap, and no longer.',
    },
    errors: ['svc/key-revoked'],
  })
  .input(
    z.strictObject({
      id: keyId,
      overlapSeconds: exact(
        z
          .int()
          .min(0)
          .max(30 * daySeconds),
      )
        .default(daySeconds)
        .meta({ description: 'How long the older secrets work on; one day by default' }),
    }),
  )
  .output(issuedKey.extend({ oldKeysExpireAt: timestamp }).meta({ id: 'RotatedApiKey' }))
  .mutation(async ({ ctx, input }) => {
    const { key, secret, oldSecretsExpireAt } = await ctx.store.keys.rotate(input.id, input.overlapSeconds)
    return { ...toKeyRecord(key), key: secret, oldKeysExpireAt: oldSecretsExpireAt.toISOString() }
  })
