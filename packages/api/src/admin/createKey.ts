import { Tier } from '@agio/core'
import { z } from 'zod'
import { adminProcedure } from '../procedure/procedure.ts'
import { keyWithSecret, keyDocs, limits, toKeyRecord } from './keyRecord.ts'

// One pattern, in syntax that the regular expressions of all languages support.
const text = z
  .string()
  .min(1)
  .max(200)
  // oxlint-disable-next-line no-control-regex -- it refuses them
  .regex(/^ *[^\x00-\x20\x7F-\x9F][^\x00-\x1F\x7F-\x9F]*$/, 'It is blank or contains control characters')
  .refine((value) => value.isWellFormed(), 'It contains lone surrogates')

// The tier without limits is only for the well-known keys of local stacks.
const assignableTiers = Tier.names.filter((tier): tier is Exclude<Tier.Tier, 'local'> => tier !== 'local')

/** Creates an API key. */
export const create = adminProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/admin/keys',
      operationId: 'issueApiKey',
      tags: ['Admin'],
      summary: 'Create an API key',
      description:
        'Returns a new key with its secret. The tier `production` requires `limits`. Other tiers do not accept limits.',
    },
    errors: [],
  })
  .input(
    z
      .strictObject({
        name: text.meta(keyDocs.name),
        company: text.optional().meta(keyDocs.company),
        email: z.email().max(200).meta(keyDocs.email),
        useCase: text.meta(keyDocs.useCase),
        expectedVolume: text.meta(keyDocs.expectedVolume),
        tier: z
          .enum(assignableTiers)
          .default('standard')
          .meta({ description: 'Tier, which sets the limits', example: 'standard' }),
        limits: limits.optional().meta({ description: 'Limits of a `production` key' }),
      })
      .refine(({ tier, limits: keyLimits }) => (tier === 'production') === (keyLimits !== undefined), {
        path: ['limits'],
        error: 'Pass limits for the tier production, and only for this tier',
      }),
  )
  .output(keyWithSecret)
  .mutation(async ({ ctx, input }) => {
    const { key, secret } = await ctx.store.keys.create(input)
    return { ...toKeyRecord(key), key: secret }
  })
