import { SelectField } from '../../ui/Field.tsx'
import { formatMonth, type Month } from './months.ts'

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
