import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createKeyring, isEncrypted, quoteSecretCell, webhookCell } from './createKeyring.ts'

const first = randomBytes(32).toString('base64')
const cell = webhookCell('wh_1', 'secret')
const secret = `whsec_${randomBytes(32).toString('base64')}`

describe('a keyring', () => {
  it('decrypts what it has encrypted, which differs each time and does not contain the secret', () => {
    const keyring = createKeyring([first])
    const all = Array.from({ length: 20 }, () => keyring.encrypt(secret, cell))
    expect(new Set(all).size).toBe(20)
    for (const encrypted of all) {
      expect(encrypted).toMatch(new RegExp(`^enc:v1:${keyring.keyId}:[\\w-]+$`))
      expect(isEncrypted(encrypted)).toBe(true)
      expect(Buffer.from(encrypted.split(':')[3] ?? '', 'base64url').includes(secret)).toBe(false)
      expect(keyring.decrypt(encrypted, cell)).toBe(secret)
    }
  })

  it.each([
    ['another row', webhookCell('wh_2', 'secret')],
    ['another column', webhookCell('wh_1', 'old_secret')],
    ['another table', quoteSecretCell('wh_1')],
  ])('error: svc/storage-unavailable for a secret that was moved to %s', (_, target) => {
    const keyring = createKeyring([first])
    expect(() => keyring.decrypt(keyring.encrypt(secret, cell), target)).toThrow('it was changed or moved')
  })

  it('error: svc/storage-unavailable for a secret of which any character was changed or removed', () => {
    const keyring = createKeyring([first])
    const encrypted = keyring.encrypt(secret, cell)
    const start = encrypted.lastIndexOf(':') + 1
    for (let at = start; at < encrypted.length - 1; at += 1) {
      const changed = encrypted.slice(0, at) + (encrypted[at] === 'A' ? 'B' : 'A') + encrypted.slice(at + 1)
      expect(() => keyring.decrypt(changed, cell), `${at}`).toThrow('it was changed or moved')
      expect(() => keyring.decrypt(encrypted.slice(0, at), cell), `${at}`).toThrow('it was changed or moved')
    }
  })
})
