import { createHash } from 'node:crypto'
import type { ApiKey } from '@agio/api'
import type { ConfiguredKey } from './Settings.ts'

/**
 * Prepares the look-up of configured keys by their secret's SHA-256: no secret is compared character by character.
 */
export function createKeyring(keys: readonly ConfiguredKey[]): (secret: string) => ApiKey | undefined {
  const byHash = new Map(keys.map(({ name, secret, tier }) => [hash(secret), { id: name, name, tier }]))
  return (secret) => byHash.get(hash(secret))
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
