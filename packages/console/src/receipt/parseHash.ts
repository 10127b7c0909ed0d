/** Finds a transaction hash in a text, such as a block explorer URL. Returns undefined without a hash. */
export function parseHash(text: string): `0x${string}` | undefined {
  const found = /0x[\da-f]{64}(?![\da-f])/i.exec(text)?.[0]
  return found?.toLowerCase() as `0x${string}` | undefined
}
