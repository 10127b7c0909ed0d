import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { useSwitchApiKey } from '../service/switchApiKey.ts'
import { Button, CopyButton } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Notice.tsx'
import styles from '../ui/ui.module.css'

/**
 * A dialog that shows a new secret once. It closes after the user has stored the secret, or on
 * the second attempt.
 */
export function SecretDialog({ title, secret, isApiKey = false, note, onClose }: SecretDialog.Props) {
  const [isLeaving, setIsLeaving] = useState(false)
  const switchApiKey = useSwitchApiKey()
  const [isUsed, setIsUsed] = useState(false)
  return (
    <Dialog title={title} onClose={() => (isLeaving ? onClose() : setIsLeaving(true))}>
      <Notice tone="warning" title="Copy the secret now">
        It is shown only once.
      </Notice>
      <div className={styles['secret']}>
        <code>{secret}</code>
        <CopyButton text={secret} label="Copy the secret">
          Copy
        </CopyButton>
      </div>
      {note !== undefined && <p>{note}</p>}
      {isLeaving && (
        <Notice tone="danger" title="The secret cannot be shown again">
          Copy it first. To close without copying, close the dialog again. You can rotate it later to get a new one.
        </Notice>
      )}
      <DialogActions>
        {isApiKey && (
          <Button
            aria-disabled={isUsed}
            onClick={() => {
              switchApiKey(secret)
              setIsUsed(true)
            }}
          >
            {isUsed ? 'In use on this page' : 'Use it on this page'}
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          I have stored it
        </Button>
      </DialogActions>
    </Dialog>
  )
}

export declare namespace SecretDialog {
  type Props = {
    readonly title: string
    readonly secret: string
    /** Whether the page can use the secret as its API key. */
    readonly isApiKey?: boolean
    readonly note?: string | undefined
    readonly onClose: () => void
  }
}

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
