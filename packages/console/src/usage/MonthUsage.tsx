import { Decimal } from '@agio/react/internal'
import { SelectField } from '../ui/Field.tsx'
import { ScrollTable } from '../ui/Page.tsx'
import { classes } from '../ui/classes.ts'
import { CallsLegend, CallsPlot } from './CallsPlot.tsx'
import { type DayCalls, type Month, formatDay, formatMonth } from './months.ts'
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
