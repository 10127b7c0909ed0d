import type { ApiKey } from '@agio/sdk/admin'
import type { Tone } from '../ui/Badge.tsx'

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

const usualScopes = ['read', 'build', 'broadcast', 'webhooks', 'usage', 'faucet'] as const

function isRestricted({ scopes, allowedCidrs, allowedOrigins }: KeyFields): boolean {
  const lacksScope = scopes !== undefined && usualScopes.some((scope) => !scopes.includes(scope))
  return lacksScope || allowedCidrs !== undefined || allowedOrigins !== undefined
}
