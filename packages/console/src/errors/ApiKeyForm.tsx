import { switchApiKey } from '../service/switchApiKey.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { useKeyText } from './useKeyText.ts'
import styles from './ApiKeyForm.module.css'

/** Takes an API key, and repeats what failed without it. */
export function ApiKeyForm() {
  const { field, submit } = useKeyText(switchApiKey)
  // No `form`: the notice may stand within another one, and forms do not nest.
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
