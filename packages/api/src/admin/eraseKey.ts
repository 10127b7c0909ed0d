import { z } from 'zod'
import { toActor } from '../procedure/Context.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { keyId, keyRecord, toKeyRecord } from './keyRecord.ts'

/** Erases the personal data of a key. */
export const erase = adminProcedure
  .meta({
    openapi: rest('POST /api/v1/admin/keys/{id}/erase', 'Admin', {
      operationId: 'eraseApiKey',
      summary: 'Erase the personal data of a key',
      description:
        'Removes the name, company, email address, use case and expected volume of a key, which are then empty, and its allowed addresses and origins. Revokes the key permanently. Its id and its usage remain. Erasing an erased key changes nothing.',
    }),
    role: 'keys',
  })
  .input(z.strictObject({ id: keyId }))
  .output(keyRecord)
  .mutation(async ({ ctx, input, path }) => toKeyRecord(await ctx.store.keys.erase(input.id, toActor(ctx, path))))
