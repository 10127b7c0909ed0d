import { useState } from 'react'
import { switchApiKey } from '../service/switchApiKey.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import styles from './ApiKeyForm.module.css'

/** Takes an API key, and repeats what failed without it. */
export function ApiKeyForm() {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const submit = () => {
    const apiKey = text.trim()
    if (!/^[\x21-\x7e]+$/.test(apiKey)) return setError('A key has letters, digits and signs, and no spaces.')
    return switchApiKey(apiKey)
  }
  // No `form`: the notice may stand within another one, and forms do not nest.
  return (
    <div className={styles['form']}>
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={text}
        error={error}
        onChange={({ target }) => {
          setText(target.value)
          setError(undefined)
        }}
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
