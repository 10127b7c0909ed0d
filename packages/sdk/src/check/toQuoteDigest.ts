import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Returns the digest of a quote for Permit2 signatures: the keccak256 hash of the UTF-8 bytes of its text. */
export function toQuoteDigest(quote: string): `0x${string}` {
  return `0x${bytesToHex(keccak_256(new TextEncoder().encode(quote)))}`
}
