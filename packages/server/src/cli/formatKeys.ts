import type { AppRouter } from '@agio/api'
import type { inferRouterOutputs } from '@trpc/server'
import { formatTable } from './formatTable.ts'

type Answers = inferRouterOutputs<AppRouter>['admin']

type Key = Answers['keys']['list']['keys'][number]

/** Formats a key that was just created or rotated, with its secret. */
export function formatSecret(key: Answers['keys']['create'] & { readonly oldKeysExpireAt?: string }): string {
  const rows = [
    ['X-API-Key', key.key],
    ['Id', key.id],
    ['Tier', key.tier],
    ...(key.oldKeysExpireAt === undefined ? [] : [['Old secrets expire', key.oldKeysExpireAt]]),
  ]
  return `${formatTable(rows)}\n\nThe secret is shown only once: the service stores only its hash.`
}

/** Formats the rotated quote secret. The service does not return the secret itself. */
export function formatQuoteSecret({ id, signsFrom }: Answers['quotes']['rotateSecret']): string {
  const rows = [
    ['Quote secret', id],
    ['Signs from', signsFrom],
  ]
  return `${formatTable(rows)}\n\nQuotes stay valid: a replaced secret verifies for 90 days.`
}

/** Formats one key. */
export function formatKey(key: Key): string {
  return formatKeys([key])
}

/** Formats keys with their applications as a table. */
export function formatKeys(keys: readonly Key[]): string {
  const header = ['Id', 'Prefix', 'Name', 'Company', 'E-mail', 'Use case', 'Volume', 'Tier', 'Created', 'Revoked']
  const rows = keys.map((key) => [
    key.id,
    key.prefix,
    key.name,
    key.company ?? '-',
    key.email,
    key.useCase,
    key.expectedVolume,
    formatTier(key),
    toMinute(key.createdAt),
    toMinute(key.revokedAt),
  ])
  return formatTable([header, ...rows])
}

/** Formats the usage of each key in a month as a table. */
export function formatStats({ month, totals, keys }: Answers['stats']): string {
  const header = ['Id', 'Name', 'Tier', 'Last used', 'Calls', 'Refused', 'Quota', 'Remaining', 'By operation']
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.revokedAt === undefined ? key.tier : `${key.tier} (revoked)`,
    toMinute(key.lastUsedAt),
    String(key.calls),
    String(key.refused),
    String(key.quota ?? '-'),
    String(key.remaining ?? '-'),
    formatOperations(key.callsByOperation),
  ])
  return `${month}: ${totals.calls} calls, ${totals.refused} refused\n\n${formatTable([header, ...rows])}`
}

/** The tier, with the limits of a key that has its own. */
function formatTier({ tier, limits }: Key): string {
  if (!limits) return tier
  const { requests, windowSeconds, burstPerSecond, monthlyQuota } = limits
  return `${tier} (${requests} per ${windowSeconds} s, ${burstPerSecond} per s, ${monthlyQuota} per month)`
}

function formatOperations(calls: Readonly<Record<string, number>>): string {
  const counts = Object.entries(calls).map(([operation, count]) => `${operation} ${count}`)
  return counts.join(', ') || '-'
}

function toMinute(time = '-'): string {
  return time.replace(/:\d\d\.\d+Z$/, 'Z')
}
