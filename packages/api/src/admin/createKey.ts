import { Scope, Tier } from '@agio/core'
import type { CreatedKey } from '@agio/store'
import { z } from 'zod'
import { toActor } from '../procedure/Context.ts'
import { idempotent } from '../procedure/idempotent.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { keyDocs, keyEmail, keyKind, keyText, keyWithSecret, limits, toKeyRecord } from './keyRecord.ts'
import { assertPublishable, newRestrictions, parseRestrictions } from './keyRestrictions.ts'

// The tier without limits is only for the well-known keys of local stacks.
const assignableTiers = Tier.names.filter((tier): tier is Exclude<Tier.Tier, 'local'> => tier !== 'local')

/** Creates an API key. */
export const create = adminProcedure
  .meta({
    openapi: rest('POST /api/v1/admin/keys', 'Admin', {
      operationId: 'issueApiKey',
      summary: 'Create an API key',
      description:
        'Returns a new key with its secret. The tier `production` requires `limits`. Other tiers do not accept limits. A `publishable` key has only the scope `read` and requires `allowedOrigins`.',
    }),
    role: 'keys',
    isIdempotent: true,
  })
  .input(
    z
      .strictObject({
        name: keyText.meta(keyDocs.name),
        company: keyText.optional().meta(keyDocs.company),
        email: keyEmail.meta(keyDocs.email),
        useCase: keyText.meta(keyDocs.useCase),
        expectedVolume: keyText.meta(keyDocs.expectedVolume),
        tier: z
          .enum(assignableTiers)
          .default('standard')
          .meta({ description: 'Tier, which sets the limits', example: 'standard' }),
        limits: limits.optional().describe('Limits of a `production` key'),
        kind: keyKind.default('secret'),
        ...newRestrictions,
      })
      .refine(({ tier, limits: keyLimits }) => (tier === 'production') === (keyLimits !== undefined), {
        path: ['limits'],
        error: 'Pass limits for the tier production, and only for this tier',
      }),
  )
  .output(keyWithSecret)
  .mutation(
    idempotent(async ({ ctx, input, path }, finish) => {
      if (input.kind === 'publishable') assertPublishable({ ...input, allowedOrigins: input.allowedOrigins ?? null })
      const scopes = input.scopes ?? (input.kind === 'publishable' ? Scope.publishable : Scope.ofNewKey)
      const restrictions = parseRestrictions<never>({ ...input, scopes }, ctx.now())
      const application = { ...input, ...restrictions }
      const toOutput = ({ key, secret }: CreatedKey) => ({ ...toKeyRecord(key), key: secret })
      const actor = toActor(ctx, path)
      return toOutput(await ctx.store.keys.create(application, actor, (tx, created) => finish(tx, toOutput(created))))
    }),
  )
