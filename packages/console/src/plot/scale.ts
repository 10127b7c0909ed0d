import { Decimal } from '@agio/react/internal'
import { scaleLinear } from 'd3-scale'

/** Lists about `count` round values of a linear axis with their labels: `-0.05`, `20`, `50k`. */
export function listTicks({ from, to }: listTicks.Range, count: number): readonly listTicks.Tick[] {
  const scale = scaleLinear([from, to], [0, 1])
  const format = scale.tickFormat(count, chooseFormat(Math.max(Math.abs(from), Math.abs(to))))
  return scale.ticks(count).map((value) => ({ value, label: value === 0 ? '0' : Decimal.localize(format(value)) }))
}

export declare namespace listTicks {
  type Range = { readonly from: number; readonly to: number }
  type Tick = { readonly value: number; readonly label: string }
}

function chooseFormat(largest: number): string {
  if (largest >= 1000) return '~s'
  return largest < 1e-7 ? '~e' : '~f'
}

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

/**
 * Converts an amount to a number for a d3 scale. The number has about 16 digits, which is enough only for a position in
 * a plot.
 *
 * @param amount a decimal string, may be negative
 *
 * @throws RangeError for any other text
 */
export function toPosition(amount: string): number {
  const position = Number(amount)
  if (amount.trim() === '' || !Number.isFinite(position))
    throw new RangeError(`Cannot place ${amount}: not a decimal amount`)
  return position
}

// A plot of ten thousand pixels shows only four digits of a share.
const precision = 1_000_000_000_000n

/** Returns a share for a plot: 0.25 for 1 of 4. It is zero for a whole of zero, and negative for a negative part. */
export function toShare(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * precision) / whole) / Number(precision)
}
