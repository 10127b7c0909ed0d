import { z } from 'zod'
import { newSecret, oldKeysExpireAt, overlapSeconds } from '../admin/keyRecord.ts'
import { getKeyId, toActor } from '../procedure/Context.ts'
import { procedure } from '../procedure/procedure.ts'

/** Creates a new secret for the API key of the request. */
export const rotate = procedure
  .meta({
    scope: 'rotate',
    openapi: {
      method: 'POST',
      path: '/api/v1/keys/rotate',
      operationId: 'rotateOwnApiKey',
      tags: ['Keys'],
      summary: 'Rotate the secret of the API key of the request',
      description:
        'Returns a new secret of the key. Older secrets, with the secret of the request, remain valid until the overlap ends. Until then, they can rotate the key again, for example after a lost response.',
    },
    errors: [],
  })
  .input(z.strictObject({ overlapSeconds }).prefault({}))
  .output(
    z
      .object({
        id: z.string().meta({ description: 'Id of the key', example: 'key_5Qm3xU8nW2aB' }),
        key: newSecret,
        oldKeysExpireAt,
      })
      .meta({ id: 'RotatedOwnApiKey', description: 'The new secret of an API key' }),
  )
  .mutation(async ({ ctx, input, path }) => {
    const id = getKeyId(ctx)
    const rotated = await ctx.store.keys.rotate(
      id,
      input.overlapSeconds,
      toActor({ ...ctx, operator: undefined }, path),
    )
    const { secret, oldSecretsExpireAt } = rotated
    return { id, key: secret, oldKeysExpireAt: oldSecretsExpireAt.toISOString() }
  })
