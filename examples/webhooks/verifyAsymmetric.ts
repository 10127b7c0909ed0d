// Verifies webhooks with the signature `v1a` by Node's built-in modules.
import { createPublicKey, verify } from 'node:crypto'

const toleranceSeconds = 300

/** Returns whether a message is recent and signed for one of the public keys, each `whpk_` and base64. */
export function isVerified(
  body: string,
  headers: Readonly<Record<string, string | undefined>>,
  publicKeys: readonly string[],
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false
  const signed = Buffer.from(`${id}.${timestamp}.${body}`)
  const keys = publicKeys.map((text) => {
    const x = Buffer.from(text.replace('whpk_', ''), 'base64').toString('base64url')
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  })
  // During a rotation there are several signatures, separated by spaces, each with its version.
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    return version === 'v1a' && keys.some((key) => verify(null, signed, key, Buffer.from(value, 'base64')))
  })
}
