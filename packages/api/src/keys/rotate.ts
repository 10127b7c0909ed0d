import type { Rotated } from '@agio/store'
import { z } from 'zod'
import { newSecret, oldKeysExpireAt, overlapSeconds } from '../admin/keyRecord.ts'
import { getKeyId, getSecretHash, toActor } from '../procedure/Context.ts'
import { idempotent } from '../procedure/idempotent.ts'
import { procedure, rest } from '../procedure/procedure.ts'

/** Creates a new secret for the API key of the request. */
export const rotate = procedure
  .meta({
    scope: 'rotate',
    openapi: rest('POST /api/v1/keys/rotate', 'Keys', {
      operationId: 'rotateOwnApiKey',
      summary: 'Rotate the secret of the API key of the request',
      description:
        'Returns a new secret of the key. Older secrets, with the secret of the request, remain valid until the overlap ends. If the response is lost, the secret of the request can rotate the key again until a new secret is used. This ends no other secret.',
    }),
    isIdempotent: true,
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
  .mutation(
    idempotent(async ({ ctx, input: { overlapSeconds }, path }, finish) => {
      const id = getKeyId(ctx)
      const toOutput = ({ secret, oldSecretsExpireAt }: Rotated) => ({
        id,
        key: secret,
        oldKeysExpireAt: oldSecretsExpireAt.toISOString(),
      })
      const rotated = await ctx.store.keys.rotateOwn(
        id,
        {
          secretHash: getSecretHash(ctx),
          overlapSeconds,
          finish: (tx, rotated) => finish(tx, toOutput(rotated)),
        },
        toActor({ ...ctx, operator: undefined }, path),
      )
      return toOutput(rotated)
    }),
  )
