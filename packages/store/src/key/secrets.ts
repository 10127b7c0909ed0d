import { hash, randomBytes } from 'node:crypto'

const shownLength = 'agio_'.length + 6

/** Makes a secret of 256 random bits. */
export function createSecret(): string {
  return `agio_${randomBytes(32).toString('base64url')}`
}

/** SHA-256 of a secret, in hex. Secrets are told apart by it alone, so that no comparison depends on their characters. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** As much of a secret as may be seen. */
export function prefixOf(secret: string): string {
  return secret.slice(0, shownLength)
}
