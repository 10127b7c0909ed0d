import { SelectField, TextField } from '../../ui/Field.tsx'
import type { ScenarioChain, ScenarioOption } from './scenarioApi.ts'

/** The field of an option of a scenario: a choice of the names of a chain, or a number in its range. */
export function ScenarioOptionField({ name, option, chain, value, onChange }: ScenarioOptionField.Props) {
  const { description, isOptional = false } = option
  if (option.type === 'name') {
    return (
      <SelectField
        label={name}
        hint={description}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        required={!isOptional}
      >
        <option value="">{isOptional ? 'all' : 'Choose'}</option>
        {chain[option.of].map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
    )
  }
  const { min, max, isWhole = false } = option
  return (
    <TextField
      label={name}
      hint={`${description}, from ${min} to ${max}`}
      type="number"
      required={!isOptional}
      min={min}
      max={max}
      step={isWhole ? 1 : 'any'}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

export declare namespace ScenarioOptionField {
  type Props = {
    readonly name: string
    readonly option: ScenarioOption
    /** Has the names to choose from. */
    readonly chain: ScenarioChain
    readonly value: string
    readonly onChange: (value: string) => void
  }
}
