import { z } from 'zod'
import { toActor } from '../procedure/Context.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { keyId, keyRecord, toKeyRecord } from './keyRecord.ts'

/** Revokes a key. */
export const revoke = adminProcedure
  .meta({
    openapi: rest('POST /api/v1/admin/keys/{id}/revoke', 'Admin', {
      operationId: 'revokeApiKey',
      summary: 'Revoke a key',
      description:
        'Revokes all secrets of a key permanently. Every process refuses them within two seconds. Revoking a revoked key changes nothing.',
    }),
    role: 'keys',
  })
  .input(z.strictObject({ id: keyId }))
  .output(keyRecord)
  .mutation(async ({ ctx, input, path }) => toKeyRecord(await ctx.store.keys.revoke(input.id, toActor(ctx, path))))
