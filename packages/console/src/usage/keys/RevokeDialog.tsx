import type { KeyStats } from '@agio/sdk/admin'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { AdminErrorNotice } from './AdminErrorNotice.tsx'
import { ConfirmName, isNamed } from './ConfirmName.tsx'
import styles from './Dialogs.module.css'
import { refreshKeys, useAdmin } from './useAdmin.ts'

/** A dialog that asks for the name of a key and revokes the key. */
export function RevokeDialog({ stats: { id, name }, onClose }: RevokeDialog.Props) {
  const [typed, setTyped] = useState('')
  const admin = useAdmin()
  const revocation = useMutation({
    mutationFn: () => admin.keys.revoke.mutate({ id }),
    onSuccess: () => {
      void refreshKeys()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNamed(typed, name) && !revocation.isPending) revocation.mutate()
  }
  return (
    <Dialog
      title="Revoke a key"
      description="The key stops working everywhere, permanently. Its usage data is kept."
      onClose={onClose}
    >
      <form className={styles['form']} onSubmit={submit}>
        <ConfirmName name={name} value={typed} onChange={setTyped} />
        {revocation.error && <AdminErrorNotice error={revocation.error} at={revocation.submittedAt} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" disabled={!isNamed(typed, name)} isBusy={revocation.isPending}>
            Revoke
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export declare namespace RevokeDialog {
  type Props = { readonly stats: KeyStats; readonly onClose: () => void }
}
