import { useState, type ChangeEvent } from 'react'

/**
 * Holds the text of a key field, and the error for an invalid key.
 *
 * @param onKey called with the key when a valid text is submitted
 */
export function useKeyText(onKey: (key: string) => void) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  return {
    /** The properties of the field. */
    field: {
      type: 'password',
      autoComplete: 'off',
      spellCheck: false,
      value: text,
      error,
      onChange({ target }: ChangeEvent<HTMLInputElement>) {
        setText(target.value)
        setError(undefined)
      },
    },
    submit() {
      const key = text.trim()
      if (/^[\x21-\x7e]+$/.test(key)) onKey(key)
      else setError('A key has only letters, digits and symbols, without spaces.')
    },
  } as const
}
