import styles from './plot.module.css'

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
