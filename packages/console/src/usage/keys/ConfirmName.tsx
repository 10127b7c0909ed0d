import { TextField } from '../../ui/Field.tsx'

/** Takes the name of a key as the confirmation of what cannot be undone. */
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

/** Whether a text is the name of a key, as far as a keyboard can tell: in any composition, without spaces around it. */
export function isNamed(text: string, name: string): boolean {
  return text.trim().normalize() === name.trim().normalize()
}
