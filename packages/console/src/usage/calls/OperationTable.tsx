import { Decimal } from '@agio/react/internal'
import { formatMonth, type Month } from './months.ts'
import styles from './OperationTable.module.css'
import { ScrollTable } from './ScrollTable.tsx'

/** Lists the operations of a month by their number of calls, most calls first. */
export function OperationTable({ of, month, callsByOperation }: OperationTable.Props) {
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

export declare namespace OperationTable {
  type Props = {
    /** The owner of the calls for the caption: `this key`. */
    readonly of: string
    readonly month: Month
    readonly callsByOperation: Readonly<Record<string, number>>
  }
}
