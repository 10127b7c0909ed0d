import type { KeyStats } from '@agio/sdk/admin'

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
        remaining,
      ]
      return values.map((value) => String(value ?? ''))
    }),
  ]
}
