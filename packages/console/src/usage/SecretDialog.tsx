import { useState } from 'react'
import { switchApiKey } from '../service/switchApiKey.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Notice.tsx'
import styles from '../ui/ui.module.css'

/**
 * A dialog that shows a new secret once. It closes after the user has stored the secret, or on
 * the second attempt.
 */
export function SecretDialog({ title, secret, isApiKey = false, note, onClose }: SecretDialog.Props) {
  const [isLeaving, setIsLeaving] = useState(false)
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
