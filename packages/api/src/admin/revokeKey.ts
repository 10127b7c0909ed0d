import { z } from 'zod'
import { toActor } from '../procedure/Context.ts'
import { adminProcedure } from '../procedure/procedure.ts'
import { keyId, keyRecord, toKeyRecord } from './keyRecord.ts'

/** Revokes a key. */
export const revoke = adminProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/admin/keys/{id}/revoke',
      operationId: 'revokeApiKey',
      tags: ['Admin'],
      summary: 'Revoke a key',
      description:
        'Revokes all secrets of a key permanently. Every process refuses them within two seconds. Revoking a revoked key changes nothing.',
    },
    role: 'keys',
    errors: [],
  })
  .input(z.strictObject({ id: keyId }))
  .output(keyRecord)
  .mutation(async ({ ctx, input, path }) => toKeyRecord(await ctx.store.keys.revoke(input.id, toActor(ctx, path))))
