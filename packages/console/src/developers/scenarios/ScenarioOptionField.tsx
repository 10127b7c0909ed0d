import { SelectField, TextField } from '../../ui/Field.tsx'
import type { ScenarioChain, ScenarioOption } from './scenarioApi.ts'

/** The field of an option of a scenario: a choice of values or of the names of a chain, a hash, or a number in its range. */
export function ScenarioOptionField({ name, option, chain, value, onChange }: ScenarioOptionField.Props) {
  const { description, isOptional = false } = option
  if (option.type === 'name' || option.type === 'choice') {
    const values = option.type === 'name' ? chain[option.of] : option.of
    return (
      <SelectField
        label={name}
        hint={description}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        required={!isOptional}
      >
        <option value="">{toEmptyLabel(option)}</option>
        {values.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
    )
  }
  if (option.type === 'hash') {
    return (
      <TextField
        label={name}
        hint={description}
        required={!isOptional}
        pattern="0x[0-9a-fA-F]{64}"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
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

function toEmptyLabel({ type, isOptional = false }: ScenarioOption): string {
  if (!isOptional) return 'Choose'
  return type === 'name' ? 'all' : 'default'
}

export declare namespace ScenarioOptionField {
  type Props = {
    readonly name: string
    readonly option: ScenarioOption
    /** The chain with the names to choose from. */
    readonly chain: ScenarioChain
    readonly value: string
    readonly onChange: (value: string) => void
  }
}
