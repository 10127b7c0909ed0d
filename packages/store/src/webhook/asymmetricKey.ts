import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'

/** The prefix of a private key of ed25519 in the Standard Webhooks specification: its seed follows in base64. */
export const privateKeyPrefix = 'whsk_'

const publicKeyPrefix = 'whpk_'
// The encoding of a private key by RFC 8410, before its seed.
const encodingOfSeed = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns the public key of a private key, as receivers store it: `whpk_` and 32 bytes in base64. */
export function toPublicKey(privateKey: string): string {
  const { x = '' } = createPublicKey(parse(privateKey)).export({ format: 'jwk' })
  return publicKeyPrefix + Buffer.from(x, 'base64url').toString('base64')
}

/** Signs a text, as `v1a` of the Standard Webhooks specification. */
export function signAsymmetrically(privateKey: string, text: string): string {
  return `v1a,${sign(null, Buffer.from(text), parse(privateKey)).toString('base64')}`
}

function parse(privateKey: string): KeyObject {
  const seed = Buffer.from(privateKey.slice(privateKeyPrefix.length), 'base64')
  return createPrivateKey({ key: Buffer.concat([encodingOfSeed, seed]), format: 'der', type: 'pkcs8' })
}
