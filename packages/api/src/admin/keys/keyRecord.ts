import { tierNames } from '@agio/core'
import type { KeyRecord } from '@agio/store'
import { z } from 'zod'
import { exact, timestamp } from '../../schema/fields.ts'

/** The id of a key, in a request. */
export const keyId = z.string().regex(/^[\w-]{1,64}$/, 'It is not the id of a key')

const limit = exact(z.int().min(1).max(1_000_000_000_000))

/** What a key of the tier `production` may do. */
export const limits = z
  .strictObject({ requests: limit, windowSeconds: limit, burstPerSecond: limit, monthlyQuota: limit })
  .meta({ id: 'Limits' })

/** A key in an answer, without its secret. */
export const keyRecord = z
  .object({
    id: z.string().meta({ example: 'key_5Qm3xU8nW2aB' }),
    prefix: z.string().meta({ description: 'The first characters of its newest secret', example: 'agio_Qmoied' }),
    name: z.string(),
    company: z.string().optional(),
    email: z.string(),
    useCase: z.string(),
    expectedVolume: z.string(),
    tier: z.enum(tierNames),
    limits: z.object(limits.shape).optional(),
    createdAt: timestamp,
    revokedAt: timestamp.optional(),
  })
  .meta({ id: 'ApiKey' })

/** A key with its secret. */
export const issuedKey = keyRecord
  .extend({ key: z.string().meta({ description: 'The secret, for the header X-API-Key. It is shown this once' }) })
  .meta({ id: 'IssuedApiKey' })

/** Writes a key as it goes over the wire. */
export function toKeyRecord({ company, limits: own, createdAt, revokedAt, ...record }: KeyRecord) {
  return {
    ...record,
    ...(company !== undefined && { company }),
    ...(own && { limits: own }),
    createdAt: createdAt.toISOString(),
    ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
  } satisfies z.input<typeof keyRecord>
}
