import type { UseMutationResult } from '@tanstack/react-query'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'

/** A dialog with one action, which the user confirms or cancels. It stays open and shows the error if the action fails. */
export function ConfirmDialog({ action, variant = 'primary', mutation, onClose, ...texts }: ConfirmDialog.Props) {
  return (
    <Dialog {...texts} onClose={onClose}>
      {mutation.error && <ErrorNotice error={mutation.error} at={mutation.submittedAt} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant={variant} isBusy={mutation.isPending} onClick={() => mutation.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

export declare namespace ConfirmDialog {
  type Props = {
    readonly title: string
    readonly description: string
    /** The text of the button. */
    readonly action: string
    readonly variant?: 'primary' | 'danger'
    readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'error' | 'submittedAt' | 'isPending' | 'mutate'>
    readonly onClose: () => void
  }
}
