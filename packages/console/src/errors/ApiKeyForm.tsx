import { type ChangeEvent, useState } from 'react'
import styles from './errors.module.css'
import { useSwitchApiKey } from '../service/switchApiKey.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'

/** A field for the API key. Submitting it repeats the failed requests. */
export function ApiKeyForm() {
  const { field, submit } = useKeyText(useSwitchApiKey())
  // Not a `form`, because the notice may be inside a form, and forms cannot be nested.
  return (
    <div className={styles['key']}>
      <TextField
        label="API key"
        {...field}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          submit()
        }}
      />
      <Button variant="primary" onClick={submit}>
        Use this key
      </Button>
    </div>
  )
}

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
