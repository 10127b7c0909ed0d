const suffixes = ['', 'k', 'M', 'B', 'T'] as const

/**
 * Lists the powers of ten in a range for the ticks of a logarithmic axis: at most `maxCount`, evenly spaced, always
 * including the largest.
 *
 * @param min a positive number, like `max`
 */
export function listDecades({ min, max }: listDecades.Range, maxCount: number): readonly listDecades.Decade[] {
  const first = Math.ceil(Math.log10(min) - 1e-9)
  const last = Math.floor(Math.log10(max) + 1e-9)
  const count = last - first + 1
  const step = Math.max(1, Math.ceil(count / Math.max(1, maxCount)))
  return Array.from({ length: Math.max(0, count) }, (_, index) => last - index)
    .filter((_, index) => index % step === 0)
    .map((exponent) => ({ value: 10 ** exponent, label: formatDecade(exponent) }))
    .toReversed()
}

export declare namespace listDecades {
  type Range = { readonly min: number; readonly max: number }
  type Decade = { readonly value: number; readonly label: string }
}

/** Formats a power of ten: `0.001`, `100`, `10k`, `1M`. */
function formatDecade(exponent: number): string {
  if (exponent < -4) return `1e${exponent}`
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}1`
  const thousands = Math.min(Math.floor(exponent / 3), suffixes.length - 1)
  return `1${'0'.repeat(exponent - 3 * thousands)}${suffixes[thousands]}`
}
