import { z } from 'zod'
import { toActor } from '../procedure/Context.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { keyDocs, keyEmail, keyId, keyRecord, keyText, toKeyRecord } from './keyRecord.ts'
import { assertPublishable, changedRestrictions, parseRestrictions } from './keyRestrictions.ts'

/** Changes the owner and the restrictions of a key. */
export const update = adminProcedure
  .meta({
    openapi: rest('PATCH /api/v1/admin/keys/{id}', 'Admin', {
      operationId: 'updateApiKey',
      summary: 'Change a key',
      description:
        'Changes the fields that the request contains, and returns the key. `null` removes a restriction, or the company. Every process applies the change within two seconds, also to open streams. A publishable key keeps the scope `read` and needs origins.',
    }),
    role: 'keys',
    errors: ['svc/key-revoked'],
    example: { scopes: ['read', 'build'], expiresAt: '2027-01-31T00:00:00.000Z', allowedCidrs: null },
  })
  .input(
    z
      .strictObject({
        id: keyId,
        name: keyText.optional().meta(keyDocs.name),
        company: keyText.nullable().optional().meta(keyDocs.company),
        email: keyEmail.optional().meta(keyDocs.email),
        useCase: keyText.optional().meta(keyDocs.useCase),
        expectedVolume: keyText.optional().meta(keyDocs.expectedVolume),
        ...changedRestrictions,
      })
      .refine(({ id: _, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
        error: 'Pass at least one field to change',
      }),
  )
  .output(keyRecord)
  .mutation(async ({ ctx, input: { id, ...changes }, path }) => {
    const { kind } = await ctx.store.keys.get(id)
    if (kind === 'publishable') assertPublishable(changes)
    const parsed = { ...changes, ...parseRestrictions(changes, ctx.now()) }
    return toKeyRecord(await ctx.store.keys.update(id, parsed, toActor(ctx, path)))
  })
