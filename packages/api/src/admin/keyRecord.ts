import { Tier } from '@agio/core'
import type { KeyRecord } from '@agio/store'
import { z } from 'zod'
import { timestamp } from '../schema/fields.ts'
import { pageNumber, pageSize } from '../schema/pagination.ts'
import { keyKinds, keyRestrictions, toRestrictions } from './keyRestrictions.ts'

/** The id of a key, in a request. */
export const keyId = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'It is not the id of a key')
  .meta({ description: 'Id of the key', example: 'key_5Qm3xU8nW2aB' })

const daySeconds = 86_400

// No limit of a key is greater, whether it counts calls, seconds or streams.
const maxLimit = 1_000_000_000_000

/** Returns the fields of limits. In a response, a key may have limits above the present maximum of a request. */
function limitFields({ maxWindowSeconds, maxStreams }: Readonly<Record<'maxWindowSeconds' | 'maxStreams', number>>) {
  const upTo = (maximum: number) => z.int().min(1).max(maximum)
  return {
    requests: upTo(maxLimit).meta({ description: 'Maximum number of calls per window', example: 1000 }),
    windowSeconds: upTo(maxWindowSeconds).meta({ description: 'Length of the window in seconds', example: 900 }),
    burstPerSecond: upTo(maxLimit).meta({ description: 'Maximum number of calls per second', example: 50 }),
    monthlyQuota: upTo(maxLimit).meta({ description: 'Maximum number of calls per month, UTC', example: 1_000_000 }),
    streams: upTo(maxStreams)
      .optional()
      .meta({ description: 'Maximum number of concurrent streams. Default: 10', example: 50 }),
  }
}

/** The limits of a key of the tier `production`, in a request. */
export const limits = z
  .strictObject(limitFields({ maxWindowSeconds: 31 * daySeconds, maxStreams: 10_000 }))
  .meta({ id: 'Limits', description: 'The limits of a key of the tier `production`' })

// Characters that format text, such as overrides of its direction, and separators of lines. Some languages and emoji need the two
// joiners.
const hidden = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** A text that describes a key, in a request: one pattern, in syntax that the regular expressions of all languages support. */
export const keyText = z
  .string()
  .min(1)
  .max(200)
  // oxlint-disable-next-line no-control-regex -- it refuses them
  .regex(/^ *[^\x00-\x20\x7F-\x9F][^\x00-\x1F\x7F-\x9F]*$/, 'It is blank or contains control characters')
  .refine((value) => value.isWellFormed(), 'It contains lone surrogates')
  .refine(
    (value) => !hidden.test(value),
    'It contains characters that are invisible or change the direction of the text',
  )

/** An email address, in a request. */
export const keyEmail = z.email().max(200)

/** The kind of a key. */
export const keyKind = z
  .enum(keyKinds)
  .meta({ description: '`secret` for servers, `publishable` for pages', example: 'secret' })

/** The documentation of the fields that describe a key. */
export const keyDocs = {
  name: { description: 'Name of the key', example: 'Shop checkout' },
  company: { description: 'Company that uses the key', example: 'Shop Ltd' },
  email: { description: 'Email address for questions about the key', example: 'dev@shop.example' },
  useCase: { description: 'Use of the key', example: 'Payouts' },
  expectedVolume: { description: 'Expected volume', example: '10,000 conversions per month' },
} as const

/** A key in a response, without its secret and without personal data. */
export const keyLabel = z.object({
  id: z.string().meta({ description: 'Id of the key', example: 'key_5Qm3xU8nW2aB' }),
  prefix: z.string().meta({ description: 'First characters of the newest secret', example: 'agio_sk_4GaPXKvT' }),
  kind: keyKind,
  name: z.string().meta(keyDocs.name),
  tier: z.enum(Tier.names).meta({ description: 'Tier, which sets the limits', example: 'standard' }),
  limits: z
    .object(limitFields({ maxWindowSeconds: maxLimit, maxStreams: maxLimit }))
    .optional()
    .describe('Limits of the key. Absent for a tier without limits of the key'),
  ...keyRestrictions,
})

/** A key in a response, without its secret. */
export const keyRecord = keyLabel
  .extend({
    company: z.string().optional().meta(keyDocs.company),
    email: z.string().meta(keyDocs.email),
    useCase: z.string().meta(keyDocs.useCase),
    expectedVolume: z.string().meta(keyDocs.expectedVolume),
    createdAt: timestamp.meta({
      description: 'Time at which the key was created',
      example: '2026-11-01T08:00:00.000Z',
    }),
    revokedAt: timestamp.optional().describe('Time of the revocation. Absent for an active key'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret' })

/** A new secret, in a response. */
export const newSecret = z.string().meta({
  description: 'Secret for the header X-API-Key. Only this response contains it',
  example: 'agio_sk_4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0KqDzI8uQ2wYb1L4XWQFR',
})

/** For how long older secrets remain valid after a rotation, in a request. */
export const overlapSeconds = z
  .int()
  .min(0)
  .max(30 * daySeconds)
  .default(daySeconds)
  .meta({ description: 'Seconds for which older secrets remain valid. Default: one day', example: daySeconds })

/** When older secrets expire after a rotation, in a response. */
export const oldKeysExpireAt = timestamp.meta({
  description: 'Time at which the older secrets expire',
  example: '2026-11-22T05:00:00.000Z',
})

/** A key with its secret. */
export const keyWithSecret = keyRecord
  .extend({ key: newSecret })
  .meta({ id: 'IssuedApiKey', description: 'An API key with its secret' })

/** The fields that choose a page of keys, in a request. A client that names no page gets the 1,000 newest keys. */
export const keyPage = { page: pageNumber, limit: pageSize('keys', { maximum: 1000, fallback: 1000 }) } as const

/** Returns a key in the form of a response, without personal data, and with times as text. */
export function toKeyLabel(key: Pick<KeyRecord, keyof z.input<typeof keyLabel>>) {
  const { id, prefix, kind, name, tier, limits: keyLimits } = key
  return { id, prefix, kind, name, tier, ...(keyLimits && { limits: keyLimits }), ...toRestrictions(key) }
}

/** Returns a key in the form of a response, with times as text. */
export function toKeyRecord(record: KeyRecord) {
  const { company, email, useCase, expectedVolume, createdAt, revokedAt } = record
  return {
    ...toKeyLabel(record),
    ...(company !== undefined && { company }),
    email,
    useCase,
    expectedVolume,
    createdAt: createdAt.toISOString(),
    ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
  } satisfies z.input<typeof keyRecord>
}
