import { z } from 'zod'
import { exact, timestamp } from '../schema/fields.ts'
import { adminProcedure } from '../procedure/procedure.ts'
import { keyWithSecret, keyId, toKeyRecord } from './keyRecord.ts'

const daySeconds = 86_400

/** Creates a new secret for a key. */
export const rotate = adminProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/admin/keys/{id}/rotate',
      operationId: 'rotateApiKey',
      tags: ['Admin'],
      summary: 'Rotate the secret of a key',
      description: 'Returns the key with a new secret. Older secrets remain valid until the overlap ends.',
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
        .meta({ description: 'Seconds for which older secrets remain valid. Default: one day', example: daySeconds }),
    }),
  )
  .output(
    keyWithSecret
      .extend({
        oldKeysExpireAt: timestamp.meta({
          description: 'Time at which the older secrets expire',
          example: '2026-11-22T05:00:00.000Z',
        }),
      })
      .meta({ id: 'RotatedApiKey', description: 'An API key with its new secret' }),
  )
  .mutation(async ({ ctx, input }) => {
    const { key, secret, oldSecretsExpireAt } = await ctx.store.keys.rotate(input.id, input.overlapSeconds)
    return { ...toKeyRecord(key), key: secret, oldKeysExpireAt: oldSecretsExpireAt.toISOString() }
  })
