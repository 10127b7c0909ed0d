import { hash, randomBytes } from 'node:crypto'

const prefixLength = 'agio_'.length + 6

/** Creates a secret of 256 random bits. */
export function createSecret(): string {
  return `agio_${randomBytes(32).toString('base64url')}`
}

/** Returns the SHA-256 of a secret, in hex. Only hashes are compared, so that timing reveals nothing about a secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Returns the first characters of a secret, which are safe to show. */
export function prefixOf(secret: string): string {
  return secret.slice(0, prefixLength)
}
