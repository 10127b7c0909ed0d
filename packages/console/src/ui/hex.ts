/** Shortens an address or a hash for display: `0x3C44…93BC`. Short values are returned unchanged. */
export function shortenHex(value: string): string {
  return value.length > 12 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
}

/** Finds a transaction hash in a text, such as a block explorer URL. Returns undefined without a hash. */
export function parseHash(text: string): `0x${string}` | undefined {
  const found = /0x[\da-f]{64}(?![\da-f])/i.exec(text)?.[0]
  return found?.toLowerCase() as `0x${string}` | undefined
}
