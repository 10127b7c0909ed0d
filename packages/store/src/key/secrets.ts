import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyKind } from './ApiKey.ts'

// A secret is `agio_sk_` or `agio_pk_`, 8 visible characters, 43 characters of 256 random bits, and a checksum.
const starts: Readonly<Record<KeyKind, string>> = { secret: 'agio_sk_', publishable: 'agio_pk_' }
const [startLength, visibleLength, hiddenLength, checksumLength] = [8, 8, 43, 6]
const secretLength = startLength + visibleLength + hiddenLength + checksumLength

// The older form is `agio_` and 32 random bytes in base64url, of which 6 characters are visible.
const olderLength = 'agio_'.length + 43
const olderPrefixLength = 'agio_'.length + 6

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Creates a secret, with 256 random bits besides its visible characters. */
export function createSecret(kind: KeyKind): string {
  const text = `${starts[kind]}${createRandomText(visibleLength + hiddenLength)}`
  return `${text}${toChecksum(text)}`
}

/** Whether a text looks like a secret, but has a wrong checksum or length, so that no key can have it. */
export function isMistyped(text: string): boolean {
  // A secret of the older form may begin with the same characters by chance.
  if (!/^agio_[sp]k_/.test(text) || text.length === olderLength) return false
  return text.length !== secretLength || toChecksum(text.slice(0, -checksumLength)) !== text.slice(-checksumLength)
}

/** Returns the SHA-256 of a secret, in hex. Only hashes are compared, so that timing reveals nothing about a secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Returns the first characters of a secret, which are safe to show. */
export function prefixOf(secret: string): string {
  return secret.slice(0, secret.length === secretLength ? startLength + visibleLength : olderPrefixLength)
}

function createRandomText(length: number): string {
  // Larger bytes would make some digits more likely.
  const evenBytes = 256 - (256 % digits.length)
  let text = ''
  while (text.length < length) {
    const bytes = [...randomBytes(length)].filter((byte) => byte < evenBytes)
    text += bytes.map((byte) => digits[byte % digits.length]).join('')
  }
  return text.slice(0, length)
}

/** Returns the CRC-32 of a text in base 62, padded to 6 digits. */
function toChecksum(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let index = 0; index < checksumLength; index += 1) {
    checksum = `${digits[rest % digits.length]}${checksum}`
    rest = Math.floor(rest / digits.length)
  }
  return checksum
}
