/** Finds the hash of a transaction in a text, such as the address of its page in a block explorer; undefined if there is none. */
export function parseHash(text: string): `0x${string}` | undefined {
  const found = /0x[\da-f]{64}(?![\da-f])/i.exec(text)?.[0]
  return found?.toLowerCase() as `0x${string}` | undefined
}
