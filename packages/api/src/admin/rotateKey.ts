import { z } from 'zod'
import { toActor } from '../procedure/Context.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { keyId, keyWithSecret, oldKeysExpireAt, overlapSeconds, toKeyRecord } from './keyRecord.ts'

/** Creates a new secret for a key. */
export const rotate = adminProcedure
  .meta({
    openapi: rest('POST /api/v1/admin/keys/{id}/rotate', 'Admin', {
      operationId: 'rotateApiKey',
      summary: 'Rotate the secret of a key',
      description: 'Returns the key with a new secret. Older secrets remain valid until the overlap ends.',
    }),
    role: 'keys',
    errors: ['svc/key-revoked'],
  })
  .input(z.strictObject({ id: keyId, overlapSeconds }))
  .output(
    keyWithSecret
      .extend({ oldKeysExpireAt })
      .meta({ id: 'RotatedApiKey', description: 'An API key with its new secret' }),
  )
  .mutation(async ({ ctx, input: { id, overlapSeconds }, path }) => {
    const rotated = await ctx.store.keys.rotate(id, overlapSeconds, toActor(ctx, path))
    const { key, secret, oldSecretsExpireAt } = rotated
    return { ...toKeyRecord(key), key: secret, oldKeysExpireAt: oldSecretsExpireAt.toISOString() }
  })
