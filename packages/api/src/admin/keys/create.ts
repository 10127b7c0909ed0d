import { tierNames, type Tier } from '@agio/core'
import { z } from 'zod'
import { adminProcedure } from '../../trpc/procedure.ts'
import { issuedKey, limits, toKeyRecord } from './keyRecord.ts'

const text = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'It holds control characters or halves of characters')
  .regex(/\S/, 'It is blank')

// Keys without limits are those of the local stack, which everyone knows; none is issued.
const issuedTiers = tierNames.filter((tier): tier is Exclude<Tier, 'local'> => tier !== 'local')

/** Issues a key. */
export const create = adminProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/admin/keys',
      tags: ['Admin'],
      summary: 'Issue a key',
      description: '`limits` are for the tier `production`, which needs them.',
    },
    errors: [],
  })
  .input(
    z
      .strictObject({
        name: text,
        company: text.optional(),
        email: z.email().max(200),
        useCase: text,
        expectedVolume: text,
        tier: z.enum(issuedTiers).default('standard'),
        limits: limits.optional(),
      })
      .refine(({ tier, limits: own }) => (tier === 'production') === (own !== undefined), {
        path: ['limits'],
        error: 'They are needed for the tier production, and only taken for it',
      }),
  )
  .output(issuedKey)
  .mutation(async ({ ctx, input }) => {
    const { key, secret } = await ctx.store.keys.create(input)
    return { ...toKeyRecord(key), key: secret }
  })
