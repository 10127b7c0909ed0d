import type { KeyStats } from '@agio/sdk/admin'

/** Returns the table of keys as text, with its header: times in ISO 8601, and nothing where a key has no value. */
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
