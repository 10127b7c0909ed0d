import { useAgio } from '@agio/react/internal'
import type { Webhook } from '@agio/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettings } from '../settings/console.ts'
import { MissingKey } from './KeyPages.tsx'
import { WebhookPanel } from './WebhookPanel.tsx'
import styles from './build.module.css'
import { CreateWebhookDialog, useRefreshWebhooks } from './webhookDialogs.tsx'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { trpc } from '../service/trpc.ts'
import { useNetwork } from '../settings/network.ts'
import { TextField } from '../ui/Field.tsx'
import { parseHash } from '../ui/Address.tsx'
import { useSession } from '../session/session.ts'
import { KeyTime } from '../time/Age.tsx'
import { Badge } from '../ui/Notice.tsx'
import { Button } from '../ui/Button.tsx'
import { Empty, Page, Panel, ScrollTable, Skeleton, Stack } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'

/** The page of the key's webhooks, their deliveries, and the transactions that they follow. */
export function WebhooksPage() {
  const { servicePath } = useSettings()
  const hasKey = useSession(({ apiKey }) => apiKey !== '')
  const [isCreating, setIsCreating] = useState(false)
  const [selectedId, setSelectedId] = useState<string>()
  const list = useQuery({ ...trpc.webhooks.list.queryOptions(), enabled: hasKey })
  const webhooks = list.data?.webhooks ?? []
  const selected = webhooks.find(({ id }) => id === selectedId) ?? webhooks[0]
  return (
    <Page
      title="Webhooks"
      intro={
        <>
          Your server receives each change of your transactions and of markets. See{' '}
          <a href={`${servicePath}/docs/guide/webhooks`}>how to verify messages</a>.
        </>
      }
      actions={
        hasKey && (
          <Button variant="primary" onClick={() => setIsCreating(true)}>
            Create webhook
          </Button>
        )
      }
    >
      {!hasKey && <MissingKey purpose="see its webhooks" />}
      {hasKey && (
        <Panel title="Endpoints">
          <Stack className={styles['endpoints']}>
            {list.error && <ErrorNotice error={list.error} at={list.errorUpdatedAt} />}
            {list.isLoading && <Skeleton width="100%" label="Loading the webhooks" />}
            {list.data?.webhooks.length === 0 && (
              <Empty>No webhooks yet. Create one to receive the events of your transactions.</Empty>
            )}
            {webhooks.length > 0 && (
              <WebhookTable webhooks={webhooks} selectedId={selected?.id} onSelect={setSelectedId} />
            )}
          </Stack>
        </Panel>
      )}
      {selected && <WebhookPanel key={selected.id} webhook={selected} />}
      {/* After the list, because the webhook above it would move it. */}
      {hasKey && !list.isLoading && <FollowedTransactions />}
      {isCreating && <CreateWebhookDialog onClose={() => setIsCreating(false)} onCreated={setSelectedId} />}
    </Page>
  )
}

type TableProps = {
  readonly webhooks: readonly Webhook[]
  readonly selectedId: string | undefined
  readonly onSelect: (id: string) => void
}

function WebhookTable({ webhooks, selectedId, onSelect }: TableProps) {
  return (
    <ScrollTable caption="Webhooks of your key">
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">State</th>
          <th scope="col">Events</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={webhook.id} className={classes(webhook.id === selectedId && styles['selectedRow'])}>
            <th scope="row" className={styles['url']}>
              <button
                type="button"
                className="link"
                aria-pressed={webhook.id === selectedId}
                onClick={() => onSelect(webhook.id)}
              >
                {webhook.url}
              </button>
            </th>
            <td>
              <WebhookState {...webhook} />
            </td>
            <td>{webhook.events.length === 1 ? webhook.events[0] : `${webhook.events.length} types`}</td>
            <td>
              <KeyTime at={webhook.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  )
}

/** Whether a webhook is enabled, and whether its receiver fails. */
export function WebhookState({ disabledReason, failingSince }: Pick<Webhook, 'disabledReason' | 'failingSince'>) {
  if (disabledReason === 'gone') return <Badge tone="danger">Disabled: 410 Gone</Badge>
  if (disabledReason !== undefined) return <Badge tone="danger">Disabled: failing</Badge>
  return failingSince === undefined ? <Badge tone="positive">Enabled</Badge> : <Badge tone="warning">Failing</Badge>
}

/** Lists the transactions that the service follows for the key. */
function FollowedTransactions() {
  const { data, isLoading, error, errorUpdatedAt } = useQuery(trpc.webhooks.watches.queryOptions({ limit: 20 }))
  return (
    <Panel title="Followed transactions">
      <Stack>
        <FollowForm />
        {error && <ErrorNotice error={error} at={errorUpdatedAt} />}
        {isLoading && <Skeleton width="100%" label="Loading the followed transactions" />}
        {data?.watches.length === 0 && (
          <Empty>None yet. The service follows each transaction that your key broadcasts or registers.</Empty>
        )}
        {data && data.watches.length > 0 && (
          <ScrollTable caption="Followed transactions, the newest first">
            <thead>
              <tr>
                <th scope="col">Transaction</th>
                <th scope="col">State</th>
                <th scope="col">Since</th>
              </tr>
            </thead>
            <tbody>
              {data.watches.map(({ transactionHash, status, createdAt }) => (
                <tr key={transactionHash}>
                  <th scope="row">
                    <code
                      title={transactionHash}
                    >{`${transactionHash.slice(0, 10)}…${transactionHash.slice(-6)}`}</code>
                  </th>
                  <td>{status ?? 'Not seen yet'}</td>
                  <td>
                    <KeyTime at={createdAt} hasTime />
                  </td>
                </tr>
              ))}
            </tbody>
          </ScrollTable>
        )}
      </Stack>
    </Panel>
  )
}

/** A field for the hash of a transaction that the service follows from now on, for the key's webhooks. */
function FollowForm() {
  const refreshWebhooks = useRefreshWebhooks()
  const { reader } = useAgio()
  const { network } = useNetwork()
  const [text, setText] = useState('')
  const following = useMutation({
    mutationFn: (transactionHash: `0x${string}`) =>
      reader.api.webhooks.watch.mutate({ chainId: network.chainId, transactionHash }),
    onSuccess: () => setText(''),
    onSettled: refreshWebhooks,
  })
  const hash = parseHash(text)
  return (
    <form
      className={styles['travel']}
      onSubmit={(event) => {
        event.preventDefault()
        if (hash !== undefined && !following.isPending) following.mutate(hash)
      }}
    >
      <TextField
        label={`Hash of a transaction on ${network.name}`}
        hint="For transactions that you sent through your own node"
        required
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" disabled={hash === undefined} isBusy={following.isPending}>
        Follow
      </Button>
      {following.error && <ErrorNotice error={following.error} at={following.submittedAt} />}
    </form>
  )
}
