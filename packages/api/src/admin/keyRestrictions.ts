import { Errors, Origin, Scope } from '@agio/core'
import type { KeyRestrictions } from '@agio/store'
import { z } from 'zod'
import * as Cidr from '../schema/Cidr.ts'
import { timestamp } from '../schema/fields.ts'

/** The kinds of keys. */
export const keyKinds = ['secret', 'publishable'] as const

/** The documentation of the fields that restrict a key. */
const docs = {
  scopes: { description: 'What the key may do. Absent if it may do everything', example: ['read', 'build'] },
  expiresAt: {
    description: 'Time at which the key expires, with all of its secrets',
    example: '2027-01-31T00:00:00.000Z',
  },
  allowedCidrs: {
    description: 'Networks and addresses from which the key works, IPv4 and IPv6. At most 100',
    example: ['203.0.113.0/24', '2001:db8::/32'],
  },
  isCidrDryRun: {
    description: 'Whether requests from other addresses than `allowedCidrs` are only logged, not refused',
    example: false,
  },
  allowedOrigins: {
    description: 'Origins whose pages may use the key. At most 100. Requests without `Origin` are refused too',
    example: ['https://app.example'],
  },
} as const

const maxEntries = 100

const scopes = z.array(z.enum(Scope.names)).min(1).max(Scope.names.length)

const notTime = 'It is not a time in UTC, such as 2027-01-31T00:00:00Z'

const expiresAt = z
  .string()
  .regex(/^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z$/, { error: notTime, abort: true })
  .refine(isTime, notTime)

const allowedCidrs = z
  .array(withReason(z.string().max(49), Cidr.findError))
  .min(1)
  .max(maxEntries)

const allowedOrigins = z
  .array(withReason(z.string().max(300), Origin.findError))
  .min(1)
  .max(maxEntries)

/** Returns whether a time exists: `Date` reads the 31st of February as the 3rd of March. */
function isTime(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 'YYYY-MM-DDThh:mm:ss'.length))
}

/** The restrictions of a new key, in a request. */
export const newRestrictions = {
  scopes: scopes.optional().meta({
    ...docs.scopes,
    description: 'What the key may do. Default: all but `rotate`; for a publishable key, `read`',
  }),
  expiresAt: expiresAt.optional().meta(docs.expiresAt),
  allowedCidrs: allowedCidrs.optional().meta(docs.allowedCidrs),
  isCidrDryRun: z.boolean().optional().meta(docs.isCidrDryRun),
  allowedOrigins: allowedOrigins.optional().meta(docs.allowedOrigins),
}

/** The changed restrictions of a key, in a request. Null removes a restriction. */
export const changedRestrictions = {
  scopes: scopes
    .nullable()
    .optional()
    .meta({ ...docs.scopes, description: 'What the key may do. `null`: everything' }),
  expiresAt: expiresAt.nullable().optional().meta(docs.expiresAt),
  allowedCidrs: allowedCidrs.nullable().optional().meta(docs.allowedCidrs),
  isCidrDryRun: z.boolean().optional().meta(docs.isCidrDryRun),
  allowedOrigins: allowedOrigins.nullable().optional().meta(docs.allowedOrigins),
}

/** The restrictions of a key, in a response. */
export const keyRestrictions = {
  scopes: z.array(z.enum(Scope.names)).optional().meta(docs.scopes),
  expiresAt: timestamp.optional().meta(docs.expiresAt),
  allowedCidrs: z.array(z.string()).optional().meta(docs.allowedCidrs),
  isCidrDryRun: z.boolean().optional().meta(docs.isCidrDryRun),
  allowedOrigins: z.array(z.string()).optional().meta(docs.allowedOrigins),
}

/** The restrictions in a request. `Removed` is null where a request may remove a restriction. */
type Requested<Removed> = {
  readonly scopes?: readonly Scope.Scope[] | Removed | undefined
  readonly expiresAt?: string | Removed | undefined
  readonly allowedCidrs?: readonly string[] | Removed | undefined
  readonly allowedOrigins?: readonly string[] | Removed | undefined
}

type Parsed<Removed> = Omit<Requested<Removed>, 'expiresAt'> & { readonly expiresAt: Date | Removed | undefined }

/**
 * Returns the requested restrictions in the form of the store: without duplicates, with networks in their shortest form.
 *
 * @throws `svc/invalid-request` if the key would have expired already
 */
export function parseRestrictions<Removed extends null>(
  { scopes, expiresAt, allowedCidrs, allowedOrigins }: Requested<Removed>,
  nowMs: number,
): Parsed<Removed> {
  if (typeof expiresAt === 'string' && Date.parse(expiresAt) <= nowMs)
    throw Errors.invalidRequest({ field: 'expiresAt', value: expiresAt, reason: 'it is in the past' })
  return {
    scopes: scopes && Scope.names.filter((name) => scopes.includes(name)),
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
    allowedCidrs: allowedCidrs && unique(allowedCidrs.map(formatCidr)),
    allowedOrigins: allowedOrigins && unique(allowedOrigins),
  }
}

/**
 * Asserts that the scopes and origins of a publishable key remain those of a publishable key.
 *
 * @throws `svc/invalid-request`
 */
export function assertPublishable({ scopes, allowedOrigins }: Requested<null>): void {
  const isScoped =
    scopes === undefined || (scopes !== null && scopes.every((scope) => Scope.publishable.includes(scope)))
  if (!isScoped) throw Errors.invalidRequest({ field: 'scopes', reason: 'a publishable key has only the scope read' })
  if (allowedOrigins === null)
    throw Errors.invalidRequest({ field: 'allowedOrigins', reason: 'a publishable key needs at least one origin' })
}

/** Returns the restrictions of a key in the form of a response. */
export function toRestrictions({ scopes, expiresAt, allowedCidrs, isCidrDryRun, allowedOrigins }: KeyRestrictions) {
  return {
    ...(scopes && { scopes: [...scopes] }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(allowedCidrs && { allowedCidrs: [...allowedCidrs] }),
    ...(isCidrDryRun !== undefined && { isCidrDryRun }),
    ...(allowedOrigins && { allowedOrigins: [...allowedOrigins] }),
  }
}

function withReason(schema: z.ZodString, findError: (text: string) => string | undefined) {
  return schema.superRefine((text, context) => {
    const message = findError(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}

function formatCidr(text: string): string {
  const cidr = Cidr.parse(text)
  return cidr ? Cidr.format(cidr) : text
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}
