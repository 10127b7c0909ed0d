import { TextField } from '../../ui/Field.tsx'

/** A field that asks for the name of a key to confirm an action that cannot be undone. */
export function ConfirmName({ name, value, onChange }: ConfirmName.Props) {
  return (
    <TextField
      label={`Type the name of the key to confirm: ${name}`}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

export declare namespace ConfirmName {
  type Props = { readonly name: string; readonly value: string; readonly onChange: (value: string) => void }
}

/** Returns whether a typed text is the name of a key. Ignores Unicode composition and spaces around the text. */
export function isNamed(text: string, name: string): boolean {
  return text.trim().normalize() === name.trim().normalize()
}
