import type { Address } from '@agio/core'
import { LRUCache } from 'lru-cache'
import { checksumAddress } from 'viem'

// Requests repeat a few addresses, and a checksum costs a hash. viem's own cache writes to its map on every read, which was
// most of the memory that a preview allocated.
const checksums = new LRUCache<string, Address>({ max: 10_000 })

/** Whether a text is an address, in any letter case. */
export function isAddress(text: string): text is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}

/** Returns an address in its EIP-55 checksum spelling. */
export function toChecksumAddress(address: Address): Address {
  const known = checksums.get(address)
  if (known) return known
  const checksummed = checksumAddress(address)
  checksums.set(address, checksummed)
  return checksummed
}
