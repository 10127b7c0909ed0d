import { Decimal } from '@agio/react/internal'
import { scaleLinear } from 'd3-scale'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import styles from './plot.module.css'

const noMargin: Plot.Margin = {}

/**
 * A plot as wide as its container. Show the same numbers in a table next to it.
 *
 * @example
 * <Plot label="Calls by day" height={14} margin={{ bottom: 2, left: 3 }}>
 *   {({ width, height }) => <rect width={width} height={height} />}
 * </Plot>
 */
export function Plot({ label, height, margin = noMargin, children }: Plot.Props) {
  const container = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<{ readonly width: number; readonly rem: number }>()
  useLayoutEffect(() => {
    const element = container.current
    if (!element) return undefined
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setSize((current) =>
        current?.width === element.clientWidth && current.rem === rem ? current : { width: element.clientWidth, rem },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    // The height is set before the first drawing, so that nothing moves.
    <div ref={container} className={styles['place']} style={{ height: `${height}rem` }}>
      {size && (
        <svg role="img" aria-label={label} className={styles['plot']} width={size.width} height={height * size.rem}>
          <Inner size={size} height={height} margin={margin}>
            {children}
          </Inner>
        </svg>
      )}
    </div>
  )
}

export declare namespace Plot {
  type Props = {
    /** The content of the plot in one sentence. */
    readonly label: string
    /** Height of the whole plot, in rem. */
    readonly height: number
    /** Space around the area for axes and labels, in rem. */
    readonly margin?: Margin
    readonly children: (area: Area) => ReactNode
  }
  type Margin = {
    readonly top?: number
    readonly right?: number
    readonly bottom?: number
    readonly left?: number
  }
  /** The area inside the margins, in pixels. The origin is its upper left corner. */
  type Area = {
    readonly width: number
    readonly height: number
    /** Pixels per rem. Text sizes scale with it. */
    readonly rem: number
  }
}

function Inner({ size: { width, rem }, height, margin, children }: InnerProps) {
  const { top = 0, right = 0, bottom = 0, left = 0 } = margin
  const area = {
    width: Math.max(0, width - (left + right) * rem),
    height: Math.max(0, (height - top - bottom) * rem),
    rem,
  }
  return <g transform={`translate(${left * rem} ${top * rem})`}>{children(area)}</g>
}

type InnerProps = Pick<Plot.Props, 'height' | 'children'> & {
  readonly size: { readonly width: number; readonly rem: number }
  readonly margin: Plot.Margin
}

/** Draws the ticks of the horizontal axis below an area. */
export function BottomAxis({ area: { width, height, rem }, ticks }: Axis.Props) {
  return (
    <g>
      {ticks.map(({ at, label }) => (
        <g key={`${at} ${label}`} transform={`translate(${at} 0)`}>
          <line className={styles['tick']} y1={height} y2={height + 0.25 * rem} />
          <text y={height + 1.2 * rem} textAnchor={at < rem ? 'start' : at > width - rem ? 'end' : 'middle'}>
            {label}
          </text>
        </g>
      ))}
      <line className={styles['axis']} y1={height} y2={height} x2={width} />
    </g>
  )
}

/** Draws the ticks of the vertical axis to the left of an area. A horizontal line crosses the area at each tick. */
export function LeftAxis({ area: { width, rem }, ticks }: Axis.Props) {
  return (
    <g>
      {ticks.map(({ at, label }) => (
        <g key={`${at} ${label}`} transform={`translate(0 ${at})`}>
          <line className={styles['grid']} x2={width} />
          <text x={-0.5 * rem} dy="0.32em" textAnchor="end">
            {label}
          </text>
        </g>
      ))}
    </g>
  )
}

declare namespace Axis {
  type Props = {
    readonly area: { readonly width: number; readonly height: number; readonly rem: number }
    readonly ticks: readonly Tick[]
  }
  type Tick = {
    /** Position in pixels from the left or the top. */
    readonly at: number
    readonly label: string
  }
}

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
