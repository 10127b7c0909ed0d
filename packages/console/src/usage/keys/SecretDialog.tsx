import type { IssuedApiKey } from '@agio/sdk/admin'
import { useState } from 'react'
import { switchApiKey } from '../../service/switchApiKey.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './Dialogs.module.css'

/**
 * A dialog that shows the secret of a new or rotated key once. It closes after the user has stored the secret, or on
 * the second attempt.
 */
export function SecretDialog({ title, createdKey: issued, note, onClose }: SecretDialog.Props) {
  const [isLeaving, setIsLeaving] = useState(false)
  const [isUsed, setIsUsed] = useState(false)
  return (
    <Dialog title={title} onClose={() => (isLeaving ? onClose() : setIsLeaving(true))}>
      <Notice tone="warning" title="Copy the secret now">
        The secret is shown only once. The service stores only its hash.
      </Notice>
      <div className={styles['secret']}>
        <code>{issued.key}</code>
        <CopyButton text={issued.key} label="Copy the secret">
          Copy
        </CopyButton>
      </div>
      {note !== undefined && <p>{note}</p>}
      {isLeaving && (
        <Notice tone="danger" title="The secret cannot be shown again">
          Copy it first. To close without copying, close the dialog again. You can rotate the key later to get a new
          secret.
        </Notice>
      )}
      <DialogActions>
        <Button
          aria-disabled={isUsed}
          onClick={() => {
            switchApiKey(issued.key)
            setIsUsed(true)
          }}
        >
          {isUsed ? 'In use on this page' : 'Use it on this page'}
        </Button>
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
    readonly createdKey: IssuedApiKey
    readonly note?: string | undefined
    readonly onClose: () => void
  }
}
