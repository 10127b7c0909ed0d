import type { KeyStats } from '@agio/sdk/admin'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { AdminErrorNotice } from './AdminErrorNotice.tsx'
import { ConfirmName, isNamed } from './ConfirmName.tsx'
import styles from './Dialogs.module.css'
import { SecretDialog } from './SecretDialog.tsx'
import { refreshKeys, useAdmin } from './useAdmin.ts'

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

const overlaps = [
  [0, '0 seconds (stop now)'],
  [hourSeconds, '1 hour'],
  [daySeconds, '1 day'],
  [7 * daySeconds, '7 days'],
  [30 * daySeconds, '30 days'],
] as const

/** A dialog that asks for the overlap and the name of a key, rotates the key and shows the new secret. */
export function RotateDialog({ stats: { id, name }, onClose }: RotateDialog.Props) {
  const [typed, setTyped] = useState('')
  const [overlapSeconds, setOverlapSeconds] = useState<number>(daySeconds)
  const admin = useAdmin()
  const rotation = useMutation({
    mutationFn: () => admin.keys.rotate.mutate({ id, overlapSeconds }),
    onSuccess: () => void refreshKeys(),
    // The result of the mutation contains the secret.
    gcTime: 0,
  })
  const createdKey = rotation.data
  if (createdKey) {
    const end = new Date(createdKey.oldKeysExpireAt).toLocaleString(undefined, {
      dateStyle: 'medium',
      timeStyle: 'short',
    })
    const note = overlapSeconds === 0 ? 'Older secrets no longer work.' : `Older secrets work until ${end}.`
    return <SecretDialog title={`New secret of ${name}`} createdKey={createdKey} note={note} onClose={onClose} />
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNamed(typed, name) && !rotation.isPending) rotation.mutate()
  }
  return (
    <Dialog
      title="Rotate a key"
      description="The key gets a new secret. Its limits and usage do not change."
      onClose={onClose}
    >
      <form className={styles['form']} onSubmit={submit}>
        <SelectField
          label="Older secrets work for"
          value={overlapSeconds}
          onChange={({ target }) => setOverlapSeconds(Number(target.value))}
        >
          {overlaps.map(([seconds, label]) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </SelectField>
        <ConfirmName name={name} value={typed} onChange={setTyped} />
        {rotation.error && <AdminErrorNotice error={rotation.error} at={rotation.submittedAt} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={!isNamed(typed, name)} isBusy={rotation.isPending}>
            Rotate
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export declare namespace RotateDialog {
  type Props = { readonly stats: KeyStats; readonly onClose: () => void }
}
