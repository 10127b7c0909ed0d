/** Shortens an address or a hash for display: `0x3C44…93BC`. Short values are returned unchanged. */
export function shortenHex(value: string): string {
  return value.length > 12 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
}
