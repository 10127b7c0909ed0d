import { Decimal } from '@agio/react/internal'
import { scaleBand, scaleLinear } from 'd3-scale'
import { useId } from 'react'
import { BottomAxis, LeftAxis } from '../plot/Axis.tsx'
import { Plot } from '../plot/Plot.tsx'
import { type Bar, type DayCalls, type Month, formatDay, stackDays } from './months.ts'
import styles from './usage.module.css'

/**
 * Plots the calls of each day of a month as stacked bars, one part for each series, with the refused calls hatched on
 * top.
 */
export function CallsPlot({ label, month, series, days }: CallsPlot.Props) {
  const hatch = useId()
  const bars = stackDays(days, month, series)
  const max = Math.max(1, ...bars.map(({ total }) => total))
  const digits = Decimal.format(String(max)).length
  return (
    <Plot label={label} height={15} margin={{ top: 0.75, right: 0.5, bottom: 2, left: 0.9 + 0.5 * digits }}>
      {(area) => {
        const y = scaleLinear([0, max], [area.height, 0]).nice(4)
        const x = scaleBand(
          bars.map(({ day }) => day),
          [0, area.width],
        ).padding(0.25)
        const center = (day: string) => (x(day) ?? 0) + x.bandwidth() / 2
        const every = Math.ceil((2 * area.rem) / x.step())
        return (
          <>
            <Hatch id={hatch} rem={area.rem} />
            <LeftAxis
              area={area}
              ticks={y
                .ticks(4)
                .filter(Number.isInteger)
                .map((value) => ({ at: y(value), label: Decimal.format(String(value)) }))}
            />
            {bars.map((bar) => (
              <g key={bar.day} transform={`translate(${x(bar.day) ?? 0} 0)`}>
                <title>{describe(bar)}</title>
                {bar.parts.map(({ series: name, from, to }) => (
                  <rect
                    key={name ?? ''}
                    className={styles['part']}
                    y={y(to)}
                    width={x.bandwidth()}
                    height={y(from) - y(to)}
                    fill={name === undefined ? `url(#${hatch})` : toColor(series.indexOf(name))}
                  />
                ))}
              </g>
            ))}
            <BottomAxis
              area={area}
              ticks={bars
                .filter((_, index) => index % every === 0)
                .map(({ day }) => ({ at: center(day), label: String(Number(day.slice(8))) }))}
            />
          </>
        )
      }}
    </Plot>
  )
}

export declare namespace CallsPlot {
  type Props = {
    /** The content of the plot in one sentence. */
    readonly label: string
    readonly month: Month
    /** Names of the series from the bottom up, at most six. */
    readonly series: readonly string[]
    readonly days: readonly DayCalls[]
  }
}

/** The legend of the series. */
export function CallsLegend({ series, hasRefused }: CallsLegend.Props) {
  const hatch = useId()
  return (
    <ul className={styles['legend']}>
      {series.map((name, index) => (
        <li key={name}>
          <svg aria-hidden="true" className={styles['swatch']}>
            <rect width="100%" height="100%" fill={toColor(index)} />
          </svg>
          {name}
        </li>
      ))}
      {hasRefused && (
        <li>
          <svg aria-hidden="true" className={styles['swatch']}>
            <Hatch id={hatch} rem={16} />
            <rect width="100%" height="100%" fill={`url(#${hatch})`} />
          </svg>
          Refused
        </li>
      )}
    </ul>
  )
}

export declare namespace CallsLegend {
  type Props = { readonly series: readonly string[]; readonly hasRefused: boolean }
}

/** A pattern that distinguishes refused calls by more than colour. */
function Hatch({ id, rem }: { readonly id: string; readonly rem: number }) {
  const size = 0.35 * rem
  return (
    <pattern id={id} width={size} height={size} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width={size} height={size} className={styles['refusedGround']} />
      <rect width={size / 2} height={size} className={styles['refused']} />
    </pattern>
  )
}

function toColor(index: number): string {
  return `var(--series-${(index % 6) + 1})`
}

function describe({ day, parts }: Bar): string {
  const counts = parts.map(({ series, from, to }) => `${series ?? 'Refused'}: ${Decimal.format(String(to - from))}`)
  return [formatDay(day), ...(counts.length > 0 ? counts : ['No calls'])].join('\n')
}
