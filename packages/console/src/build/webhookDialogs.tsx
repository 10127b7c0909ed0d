import { useAgio } from '@agio/react/internal'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Webhook, type WebhookEventType, webhookEventTypes } from '@agio/sdk'
import { type FormEvent, useState } from 'react'
import styles from './build.module.css'
import { ConfirmDialog, SecretDialog } from '../usage/dialogs.tsx'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { trpc } from '../service/trpc.ts'
import { Button, CopyButton } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Stack } from '../ui/Panel.tsx'

/** Returns a function that reads the webhooks and their deliveries again. */
export function useRefreshWebhooks(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: trpc.webhooks.pathKey() })
}

const transactionEvents = webhookEventTypes.filter((type) => type.startsWith('transaction.'))

type CreateProps = { readonly onClose: () => void; readonly onCreated: (id: string) => void }

/** A dialog that creates a webhook, and shows its secret or its public key. */
export function CreateWebhookDialog({ onClose, onCreated }: CreateProps) {
  const refreshWebhooks = useRefreshWebhooks()
  const { reader } = useAgio()
  const [url, setUrl] = useState('')
  const [signature, setSignature] = useState<'v1' | 'v1a'>('v1')
  const [events, setEvents] = useState<readonly WebhookEventType[]>(transactionEvents)
  const creation = useMutation({
    mutationFn: () => reader.api.webhooks.create.mutate({ url: url.trim(), signature, events: [...events] }),
    onSuccess: ({ id }) => {
      onCreated(id)
      void refreshWebhooks()
    },
    // The result of the mutation contains the secret.
    gcTime: 0,
  })
  if (creation.data) return <NewSecret webhook={creation.data} title="Secret of the webhook" onClose={onClose} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!creation.isPending) creation.mutate()
  }
  return (
    <Dialog title="Create a webhook" onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <TextField
            label="URL of the receiver"
            type="url"
            required
            placeholder="https://shop.example/webhooks"
            data-autofocus
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
          <fieldset className={styles['events']}>
            <legend>Events</legend>
            {webhookEventTypes.map((event) => (
              <label key={event}>
                <input
                  type="checkbox"
                  checked={events.includes(event)}
                  onChange={({ target }) =>
                    setEvents(target.checked ? [...events, event] : events.filter((each) => each !== event))
                  }
                />
                {event}
              </label>
            ))}
          </fieldset>
          <SelectField
            label="Signature"
            value={signature}
            onChange={({ target }) => setSignature(target.value === 'v1a' ? 'v1a' : 'v1')}
          >
            <option value="v1">v1: HMAC with a shared secret</option>
            <option value="v1a">v1a: ed25519 with a public key</option>
          </SelectField>
          {creation.error && <ErrorNotice error={creation.error} at={creation.submittedAt} />}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="primary" disabled={events.length === 0} isBusy={creation.isPending}>
              Create
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

type WebhookProps = { readonly webhook: Webhook; readonly onClose: () => void }

/** A dialog that gives a webhook a new secret. */
export function RotateWebhookDialog({ webhook: { id, url }, onClose }: WebhookProps) {
  const refreshWebhooks = useRefreshWebhooks()
  const { reader } = useAgio()
  const rotation = useMutation({
    mutationFn: () => reader.api.webhooks.rotate.mutate({ id }),
    onSuccess: () => void refreshWebhooks(),
    gcTime: 0,
  })
  if (rotation.data) {
    const note = `The replaced secret also signs until ${new Date(rotation.data.oldSecretExpiresAt).toLocaleString()}.`
    return <NewSecret webhook={rotation.data} title="New secret of the webhook" note={note} onClose={onClose} />
  }
  return (
    <ConfirmDialog
      title="Rotate the secret"
      description={`Messages to ${url} get a new signature. For a day, the current secret signs too.`}
      action="Rotate"
      mutation={rotation}
      onClose={onClose}
    />
  )
}

/** A dialog that deletes a webhook with its deliveries. */
export function DeleteWebhookDialog({ webhook: { id, url }, onClose }: WebhookProps) {
  const { reader } = useAgio()
  const queryClient = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => reader.api.webhooks.delete.mutate({ id }),
    async onSuccess() {
      // Not the deliveries, which the deleted webhook no longer has.
      await queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Delete the webhook"
      description={`${url} receives nothing more. Its deliveries are deleted.`}
      action="Delete"
      variant="danger"
      mutation={deletion}
      onClose={onClose}
    />
  )
}

type NewSecretProps = {
  readonly webhook: { readonly secret?: string | undefined; readonly publicKey?: string | undefined }
  readonly title: string
  readonly note?: string
  readonly onClose: () => void
}

/** Shows the new secret of a webhook once, or its public key. */
function NewSecret({ webhook: { secret, publicKey = '' }, title, note, onClose }: NewSecretProps) {
  if (secret !== undefined) return <SecretDialog title={title} secret={secret} note={note} onClose={onClose} />
  return (
    <Dialog title="Public key of the webhook" description={note} onClose={onClose}>
      <CodeLine text={publicKey} />
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function CodeLine({ text }: { readonly text: string }) {
  return (
    <p className={styles['url']}>
      <code>{text}</code>
      <CopyButton text={text} label="Copy the public key" />
    </p>
  )
}
