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

/**
 * Draws the ticks of the horizontal axis below an area. With `hasGrid`, a vertical line crosses the area at each tick.
 */
export function BottomAxis({ area: { width, height, rem }, ticks, hasGrid = false }: Axis.Props) {
  return (
    <g>
      {ticks.map(({ at, label }) => (
        <g key={`${at} ${label}`} transform={`translate(${at} 0)`}>
          {hasGrid && <line className={styles['grid']} y2={height} />}
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
    readonly hasGrid?: boolean
  }
  type Tick = {
    /** Position in pixels from the left or the top. */
    readonly at: number
    readonly label: string
  }
}
