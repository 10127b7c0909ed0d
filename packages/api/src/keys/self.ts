import { Scope, Tier } from '@agio/core'
import { z } from 'zod'
import { keyDocs, keyLabel, toKeyLabel } from '../admin/keyRecord.ts'
import { getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'

const ownKey = keyLabel
  .extend({
    name: keyLabel.shape.name
      .optional()
      .meta({ ...keyDocs.name, description: 'Name of the key. Absent for a publishable key' }),
    scopes: z.array(z.enum(Scope.names)).meta({ description: 'What the key may do', example: ['read', 'build'] }),
  })
  .meta({ id: 'OwnApiKey', description: 'The API key of the request' })

/** Returns the API key of the request. */
export const self = procedure
  .meta({
    scope: 'none',
    openapi: rest('GET /api/v1/keys/self', 'Keys', {
      operationId: 'getOwnApiKey',
      summary: 'Get the API key of the request',
      description:
        'Returns the API key of the request with its scopes, restrictions and limits. Every key may call this operation. Anyone can read a publishable key, so the response to one has neither the name nor the allowed origins and addresses.',
    }),
  })
  .input(z.strictObject({}).optional())
  .output(ownKey)
  .query(async ({ ctx }): Promise<z.input<typeof ownKey>> => {
    const key = await ctx.store.keys.get(getKeyId(ctx))
    const limits = Tier.findLimits(key.tier, key.limits)
    const label = { ...toKeyLabel({ ...key, limits }), scopes: [...(key.scopes ?? Scope.names)] }
    if (key.kind !== 'publishable') return label
    const { name: _, allowedOrigins: _origins, allowedCidrs: _cidrs, isCidrDryRun: _isDryRun, ...rest } = label
    return rest
  })
