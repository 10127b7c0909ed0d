/** Shortens an address or a hash for the eye: `0x3C44…93BC`. What is not longer than that stays. */
export function shortenHex(value: string): string {
  return value.length > 12 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
}
