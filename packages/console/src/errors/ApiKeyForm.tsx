import { switchApiKey } from '../service/switchApiKey.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { useKeyText } from './useKeyText.ts'
import styles from './ApiKeyForm.module.css'

/** A field for the API key. Submitting it repeats the failed requests. */
export function ApiKeyForm() {
  const { field, submit } = useKeyText(switchApiKey)
  // Not a `form`, because the notice may be inside a form, and forms cannot be nested.
  return (
    <div className={styles['form']}>
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
