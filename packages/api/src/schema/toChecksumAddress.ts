import type { Address } from '@agio/core'
import { LRUCache } from 'lru-cache'
import { checksumAddress } from 'viem'

// The same few addresses come again and again, and spelling one takes a hash. viem keeps what it has spelled in a map that
// it writes to at every reading: most of what a preview left behind in memory was that map, made anew.
const spellings = new LRUCache<string, Address>({ max: 10_000 })

/** Whether a text is an address, in any letter case. */
export function isAddress(text: string): text is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}

/** Writes an address in the spelling of EIP-55. */
export function toChecksumAddress(address: Address): Address {
  const known = spellings.get(address)
  if (known) return known
  const spelled = checksumAddress(address)
  spellings.set(address, spelled)
  return spelled
}
