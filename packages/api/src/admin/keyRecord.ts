import { Tier } from '@agio/core'
import type { KeyRecord } from '@agio/store'
import { z } from 'zod'
import { exact, timestamp } from '../schema/fields.ts'
import { pageNumber, pageSize } from '../schema/pagination.ts'

/** The id of a key, in a request. */
export const keyId = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'It is not the id of a key')
  .meta({ description: 'Id of the key', example: 'key_5Qm3xU8nW2aB' })

const limit = exact(z.int().min(1).max(1_000_000_000_000))

/** The limits of a key of the tier `production`. */
export const limits = z
  .strictObject({
    requests: limit.meta({ description: 'Maximum number of calls per window', example: 1000 }),
    windowSeconds: limit.meta({ description: 'Length of the window in seconds', example: 900 }),
    burstPerSecond: limit.meta({ description: 'Maximum number of calls per second', example: 50 }),
    monthlyQuota: limit.meta({ description: 'Maximum number of calls per month, UTC', example: 1_000_000 }),
    streams: limit.optional().meta({ description: 'Maximum number of concurrent streams. Default: 10', example: 50 }),
  })
  .meta({ id: 'Limits', description: 'The limits of a key of the tier `production`' })

/** The documentation of the fields that describe a key. */
export const keyDocs = {
  name: { description: 'Name of the key', example: 'Shop checkout' },
  company: { description: 'Company that uses the key', example: 'Shop Ltd' },
  email: { description: 'Email address for questions about the key', example: 'dev@shop.example' },
  useCase: { description: 'Use of the key', example: 'Payouts' },
  expectedVolume: { description: 'Expected volume', example: '10,000 conversions per month' },
} as const

/** A key in a response, without its secret. */
export const keyRecord = z
  .object({
    id: z.string().meta({ description: 'Id of the key', example: 'key_5Qm3xU8nW2aB' }),
    prefix: z.string().meta({ description: 'First characters of the newest secret', example: 'agio_Qmoied' }),
    name: z.string().meta(keyDocs.name),
    company: z.string().optional().meta(keyDocs.company),
    email: z.string().meta(keyDocs.email),
    useCase: z.string().meta(keyDocs.useCase),
    expectedVolume: z.string().meta(keyDocs.expectedVolume),
    tier: z.enum(Tier.names).meta({ description: 'Tier, which sets the limits', example: 'standard' }),
    limits: z
      .object(limits.shape)
      .optional()
      .meta({ description: 'Limits of the key. Absent for tiers with fixed limits' }),
    createdAt: timestamp.meta({
      description: 'Time at which the key was created',
      example: '2026-11-01T08:00:00.000Z',
    }),
    revokedAt: timestamp.optional().meta({ description: 'Time of the revocation. Absent for an active key' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret' })

/** A key with its secret. */
export const keyWithSecret = keyRecord
  .extend({
    key: z.string().meta({
      description: 'Secret for the header X-API-Key. Only this response contains it',
      example: 'agio_4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0_KqDzI',
    }),
  })
  .meta({ id: 'IssuedApiKey', description: 'An API key with its secret' })

/** The fields that choose a page of keys, in a request. A client that names no page gets the 1,000 newest keys. */
export const keyPage = { page: pageNumber, limit: pageSize('keys', { maximum: 1000, fallback: 1000 }) } as const

/** Returns a key in the form of a response, with times as text. */
export function toKeyRecord({ company, limits: keyLimits, createdAt, revokedAt, ...record }: KeyRecord) {
  return {
    ...record,
    ...(company !== undefined && { company }),
    ...(keyLimits && { limits: keyLimits }),
    createdAt: createdAt.toISOString(),
    ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
  } satisfies z.input<typeof keyRecord>
}
