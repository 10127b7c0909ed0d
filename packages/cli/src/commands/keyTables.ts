import { formatTable } from '@agio/localnet/stacks'
import type { AdminStats, ApiKey, IssuedApiKey, QuoteSecret } from '@agio/sdk/admin'
import { formatAccess } from './keyAccess.ts'

/** Formats a new secret, with its key. */
export function formatSecret(key: IssuedApiKey & { readonly oldKeysExpireAt?: string }): string {
  const rows = [
    ['X-API-Key', key.key],
    ['Id', key.id],
    ['Tier', key.tier],
    ...(key.oldKeysExpireAt === undefined ? [] : [['Old secrets expire', key.oldKeysExpireAt]]),
  ]
  return `${formatTable(rows)}\n\nThe secret is shown only once: the service stores only its hash.`
}

/** Formats the secret of quotes without its value, and a note. */
export function formatQuoteSecret({ id, signsFrom }: QuoteSecret, note: string): string {
  const rows = [
    ['Quote secret', id],
    ['Signs from', signsFrom],
  ]
  return `${formatTable(rows)}\n\n${note}`
}

/** Formats keys as a table. */
export function formatKeys(keys: readonly ApiKey[]): string {
  const header = [
    'Id',
    'Prefix',
    'Name',
    'Company',
    'E-mail',
    'Use case',
    'Volume',
    'Tier',
    'Access',
    'Created',
    'Revoked',
  ]
  const rows = keys.map((key) => [
    key.id,
    key.prefix,
    key.name,
    key.company ?? '-',
    key.email,
    key.useCase,
    key.expectedVolume,
    formatTier(key),
    formatAccess(key),
    toMinute(key.createdAt),
    toMinute(key.revokedAt),
  ])
  return formatTable([header, ...rows])
}

/** Formats the usage of keys in a month as a table. */
export function formatStats({ month, totals, keys }: AdminStats): string {
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

/** Formats the tier, with the limits of a key that has its own. */
function formatTier({ tier, limits }: ApiKey): string {
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
