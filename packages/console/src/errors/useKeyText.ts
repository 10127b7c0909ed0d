import { useState, type ChangeEvent } from 'react'

/**
 * Holds the text of a field for a key, and the fault of a text that is none.
 *
 * @param onKey receives the key when a text that is one is submitted
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
      else setError('A key has letters, digits and signs, and no spaces.')
    },
  } as const
}
