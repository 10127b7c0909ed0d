import type { KeyStats } from '@agio/sdk/admin'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { AdminErrorNotice, refreshKeys, useAdmin } from './AdminKeyForm.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Stack } from '../ui/Page.tsx'
import { SecretDialog } from '../usage/dialogs.tsx'

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

const overlaps = [
  [0, '0 seconds (stop now)'],
  [hourSeconds, '1 hour'],
  [daySeconds, '1 day'],
  [7 * daySeconds, '7 days'],
  [30 * daySeconds, '30 days'],
] as const

/** A dialog that rotates a key with an overlap, and shows the new secret. */
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
    return (
      <SecretDialog title={`New secret of ${name}`} secret={createdKey.key} isApiKey note={note} onClose={onClose} />
    )
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
      <form onSubmit={submit}>
        <Stack>
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
        </Stack>
      </form>
    </Dialog>
  )
}

export declare namespace RotateDialog {
  type Props = { readonly stats: KeyStats; readonly onClose: () => void }
}

/** A dialog that revokes a key. */
export function RevokeDialog(props: EndKeyDialog.Props) {
  const admin = useAdmin()
  return (
    <EndKeyDialog
      {...props}
      title="Revoke a key"
      description="The key stops working everywhere, permanently. Its usage data is kept."
      action="Revoke"
      end={async (id) => {
        await admin.keys.revoke.mutate({ id })
        void refreshKeys()
      }}
    />
  )
}

/** A dialog that erases the name and owner of a key. */
export function EraseDialog(props: EndKeyDialog.Props) {
  const admin = useAdmin()
  return (
    <EndKeyDialog
      {...props}
      title="Erase a key"
      description="The key stops working, permanently. Its name, owner, use, networks and origins are deleted. Its usage stays."
      action="Erase"
      end={async (id) => {
        await admin.keys.erase.mutate({ id })
        await refreshKeys()
      }}
    />
  )
}

/** A dialog that ends a key. The user confirms it by typing the name of the key. */
function EndKeyDialog({ stats: { id, name }, title, description, action, end, onClose }: EndKeyDialog.AllProps) {
  const [typed, setTyped] = useState('')
  const mutation = useMutation({
    mutationFn: () => end(id),
    onSuccess: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNamed(typed, name) && !mutation.isPending) mutation.mutate()
  }
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <ConfirmName name={name} value={typed} onChange={setTyped} />
          {mutation.error && <AdminErrorNotice error={mutation.error} at={mutation.submittedAt} />}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="danger" disabled={!isNamed(typed, name)} isBusy={mutation.isPending}>
              {action}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

declare namespace EndKeyDialog {
  type Props = { readonly stats: KeyStats; readonly onClose: () => void }
  type AllProps = Props & {
    readonly title: string
    readonly description: string
    /** The text of the button. */
    readonly action: string
    /** Ends the key, and starts to read the keys again. */
    readonly end: (id: string) => Promise<void>
  }
}

/** The field in which a user types the name of a key to confirm an action. */
function ConfirmName({ name, value, onChange }: ConfirmName.Props) {
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

declare namespace ConfirmName {
  type Props = { readonly name: string; readonly value: string; readonly onChange: (value: string) => void }
}

/** Returns whether a typed text is the name of a key. Ignores Unicode composition and spaces around the text. */
function isNamed(text: string, name: string): boolean {
  return text.trim().normalize() === name.trim().normalize()
}
