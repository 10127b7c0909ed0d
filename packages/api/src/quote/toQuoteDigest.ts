import { keccak256, stringToHex, type Hex } from 'viem'

/**
 * Returns the digest of a quote: the keccak256 of the UTF-8 bytes of its text, 32 bytes. A signature for Permit2
 * contains the digest as witness and nonce, so that it pays only this quote, and only once.
 */
export function toQuoteDigest(quote: string): Hex {
  return keccak256(stringToHex(quote))
}
