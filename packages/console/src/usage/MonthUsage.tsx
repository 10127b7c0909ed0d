import { Decimal } from '@agio/react/internal'
import { scaleBand, scaleLinear } from 'd3-scale'
import { useId } from 'react'
import { BottomAxis, LeftAxis, Plot } from '../plot/Plot.tsx'
import { SelectField } from '../ui/Field.tsx'
import { ScrollTable } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'
import { type Bar, type DayCalls, type Month, formatDay, formatMonth, stackDays } from './months.ts'
import styles from './usage.module.css'

/** Shows the calls of a month: by day as a plot and a table, and by operation. */
export function MonthUsage({ callsByOperation, ...props }: MonthUsage.Props) {
  const { of, month, series, days } = props
  const isEmpty = days.length === 0
  const hasOperations = Object.keys(callsByOperation).length > 0
  const label = toLabel(props)
  const picture = isEmpty ? `${label}: none` : `${label}. A table below has the same numbers.`
  return (
    <div className={styles['usage']}>
      <figure className={classes(styles['figure'], !hasOperations && styles['wide'])}>
        <CallsPlot label={picture} month={month} series={series} days={days} />
        {isEmpty && <p className={styles['empty']}>No calls in {formatMonth(month)}</p>}
        {!isEmpty && <CallsLegend series={series} hasRefused={days.some(({ refused }) => refused > 0)} />}
      </figure>
      {hasOperations && <OperationTable of={of} month={month} callsByOperation={callsByOperation} />}
      {!isEmpty && <DayTable {...props} />}
    </div>
  )
}

export declare namespace MonthUsage {
  type Props = {
    /** The owner of the calls for labels: `this key`. */
    readonly of: string
    readonly month: Month
    /** Names of the plot's series, at most six. */
    readonly series: readonly string[]
    /** The days with calls, oldest first. */
    readonly days: readonly DayCalls[]
    readonly callsByOperation: Readonly<Record<string, number>>
  }
}

function DayTable({ series, days, ...props }: Omit<MonthUsage.Props, 'callsByOperation'>) {
  return (
    <ScrollTable caption={toLabel(props)} isLong className={styles['wide']}>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          {[...series, 'Refused'].map((name) => (
            <th key={name} scope="col" data-number>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, callsBySeries, refused }) => (
          <tr key={day}>
            <th scope="row">{formatDay(day)}</th>
            {[...series.map((name) => callsBySeries[name] ?? 0), refused].map((count, index) => (
              <td key={series[index] ?? ''} data-number>
                {Decimal.format(String(count))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  )
}

function toLabel({ of, month }: Pick<MonthUsage.Props, 'of' | 'month'>): string {
  return `Calls of ${of} by day in ${formatMonth(month)}`
}

/** Lists the operations of a month by their number of calls, most calls first. */
function OperationTable({ of, month, callsByOperation }: OperationTable.Props) {
  const operations = Object.entries(callsByOperation).sort(
    ([one, calls], [other, otherCalls]) => otherCalls - calls || one.localeCompare(other, 'en'),
  )
  const max = operations[0]?.[1] ?? 1
  return (
    <ScrollTable caption={`Calls of ${of} by operation in ${formatMonth(month)}`} isLong>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col" data-number>
            Calls
          </th>
        </tr>
      </thead>
      <tbody>
        {operations.map(([operation, calls]) => (
          <tr key={operation}>
            <th scope="row">
              <code>{operation}</code>
              <span className={styles['share']} style={{ width: `${(100 * calls) / max}%` }} />
            </th>
            <td data-number>{Decimal.format(String(calls))}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  )
}

declare namespace OperationTable {
  type Props = {
    /** The owner of the calls for the caption: `this key`. */
    readonly of: string
    readonly month: Month
    readonly callsByOperation: Readonly<Record<string, number>>
  }
}

/** A select field for a month. */
export function MonthSelect({ label, months, value, onChange }: MonthSelect.Props) {
  return (
    <SelectField label={label} isLabelHidden value={value} onChange={({ target }) => onChange(target.value)}>
      {months.map((month) => (
        <option key={month} value={month}>
          {formatMonth(month)}
        </option>
      ))}
    </SelectField>
  )
}

export declare namespace MonthSelect {
  type Props = {
    readonly label: string
    readonly months: readonly Month[]
    readonly value: Month
    readonly onChange: (month: Month) => void
  }
}

/**
 * Plots the calls of each day of a month as stacked bars, one part for each series, with the refused calls hatched on
 * top.
 */
function CallsPlot({ label, month, series, days }: CallsPlot.Props) {
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

declare namespace CallsPlot {
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
function CallsLegend({ series, hasRefused }: CallsLegend.Props) {
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

declare namespace CallsLegend {
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
