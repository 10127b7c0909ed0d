import type { ApiKey, KeyStats } from '@agio/sdk/admin'
import type { Tone } from '../ui/Badge.tsx'
import { usualScopes } from './toApplication.ts'

/** Whether a key works: it was not revoked and has not expired. */
export function isActive({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return revokedAt === undefined && !(expiresAt !== undefined && Date.parse(expiresAt) <= now)
}

/** Lists how a key differs from a secret key that works everywhere and may do all but rotate itself. */
export function listKeyBadges(key: KeyFields, now: number): readonly KeyBadge[] {
  const badges: KeyBadge[] = []
  if (key.revokedAt !== undefined) badges.push({ text: 'Revoked', tone: 'danger' })
  else if (!isActive(key, now)) badges.push({ text: 'Expired', tone: 'danger' })
  if (key.kind === 'publishable') badges.push({ text: 'Publishable', tone: 'accent' })
  else if (isRestricted(key)) badges.push({ text: 'Restricted', tone: 'neutral' })
  return badges
}

type KeyFields = Partial<ApiKey>

type KeyBadge = { readonly text: string; readonly tone: Tone }

function isRestricted({ scopes, allowedCidrs, allowedOrigins }: KeyFields): boolean {
  const lacksScope = scopes !== undefined && usualScopes.some((scope) => !scopes.includes(scope))
  return lacksScope || allowedCidrs !== undefined || allowedOrigins !== undefined
}

/** The sort column of the key table and its direction. */
export type Order = { readonly column: Column; readonly isAscending: boolean }

/** A column of the key table. */
export type Column = 'name' | 'company' | 'tier' | 'createdAt' | 'lastUsedAt' | 'calls' | 'refused' | 'remaining'

/** Sorts keys by a column. Keys without a value come last. Keys with equal values keep their order. */
export function sortKeys(keys: readonly KeyStats[], { column, isAscending }: Order): readonly KeyStats[] {
  const sign = isAscending ? 1 : -1
  return keys.toSorted((one, other) => {
    const [first, second] = [one[column], other[column]]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    return sign * compare(first, second)
  })
}

/** Returns the order after a click on a column. Numbers and times start descending, texts ascending. */
export function toNextOrder(order: Order, column: Column): Order {
  if (order.column === column) return { column, isAscending: !order.isAscending }
  return { column, isAscending: column === 'name' || column === 'company' || column === 'tier' }
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other), 'en', { sensitivity: 'base', numeric: true })
}

/** Returns the key table as text with a header. Times are in ISO 8601, and missing values are empty. */
export function toKeyRows(keys: readonly KeyStats[]): readonly (readonly string[])[] {
  const header = ['Id', 'Prefix', 'Name', 'Company', 'Tier', 'Created', 'Last used', 'Revoked']
  return [
    [...header, 'Calls', 'Refused', 'Quota', 'Quota left'],
    ...keys.map((key) => {
      const { id, prefix, name, company, tier, createdAt, lastUsedAt, revokedAt, calls, refused, quota, remaining } =
        key
      const values = [
        id,
        prefix,
        name,
        company,
        tier,
        createdAt,
        lastUsedAt,
        revokedAt,
        calls,
        refused,
        quota,
        revokedAt === undefined ? remaining : undefined,
      ]
      return values.map((value) => String(value ?? ''))
    }),
  ]
}
