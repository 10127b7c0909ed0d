import { useAgio } from '@agio/react/internal'
import type { Webhook, WebhookDelivery } from '@agio/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import styles from './build.module.css'
import { DeleteWebhookDialog, useRefreshWebhooks, RotateWebhookDialog } from './webhookDialogs.tsx'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { trpc } from '../service/trpc.ts'
import { KeyTime } from '../time/Age.tsx'
import { Badge, type Tone } from '../ui/Notice.tsx'
import { Button, CodeBlock, CopyButton } from '../ui/Button.tsx'
import { Empty, Fact, Facts, Panel, ScrollTable, Skeleton, Stack } from '../ui/Panel.tsx'
import { SelectField } from '../ui/Field.tsx'

/** Shows one webhook: its settings, its deliveries, and what can be done with it. */
export function WebhookPanel({ webhook }: { readonly webhook: Webhook }) {
  const refreshWebhooks = useRefreshWebhooks()
  const { reader } = useAgio()
  const [dialog, setDialog] = useState<'rotate' | 'delete'>()
  const { id, url, events, signature, publicKey, failingSince, disabledAt } = webhook
  const test = useMutation({
    mutationFn: () => reader.api.webhooks.test.mutate({ id }),
    onSettled: refreshWebhooks,
  })
  const close = () => setDialog(undefined)
  return (
    <>
      <Panel
        title={url}
        actions={
          <>
            <Button size="small" variant="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
              Send test event
            </Button>
            <Button size="small" onClick={() => setDialog('rotate')}>
              Rotate secret
            </Button>
            <Button size="small" variant="danger" onClick={() => setDialog('delete')}>
              Delete
            </Button>
          </>
        }
      >
        <Stack>
          <Facts>
            <Fact name="Id">
              <code>{id}</code>
              <CopyButton text={id} label="Copy the id of the webhook" />
            </Fact>
            <Fact name="Signature">{signature === 'v1' ? 'v1, by a shared secret' : 'v1a, by a public key'}</Fact>
            {publicKey !== undefined && (
              <Fact name="Public key">
                <code>{publicKey}</code>
                <CopyButton text={publicKey} label="Copy the public key" />
              </Fact>
            )}
            {failingSince !== undefined && (
              <Fact name="Failing since">
                <KeyTime at={failingSince} hasTime />
              </Fact>
            )}
            {disabledAt !== undefined && (
              <Fact name="Disabled">
                <KeyTime at={disabledAt} hasTime />. A replay enables it.
              </Fact>
            )}
          </Facts>
          <p className={styles['types']}>
            {events.map((event) => (
              <Badge key={event}>{event}</Badge>
            ))}
          </p>
          <output className="note">{test.isSuccess && 'Test event sent. Its delivery is below.'}</output>
          {test.error && <ErrorNotice error={test.error} at={test.submittedAt} />}
        </Stack>
      </Panel>
      <Deliveries webhook={webhook} />
      {dialog === 'rotate' && <RotateWebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
    </>
  )
}

type State = WebhookDelivery['status']

const pageSize = 20
const states: readonly State[] = ['pending', 'delivered', 'given-up']
// Pending events change soon.
const refreshMs = 2000

/** The deliveries of a webhook, newest first, with their attempts. */
function Deliveries({ webhook: { id } }: { readonly webhook: Webhook }) {
  const refreshWebhooks = useRefreshWebhooks()
  const { reader } = useAgio()
  const [status, setStatus] = useState<State>()
  const [pages, setPages] = useState<readonly number[]>([])
  const input = { id, status, before: pages.at(-1), limit: pageSize }
  const { data, error, errorUpdatedAt, isFetching, refetch } = useQuery(
    trpc.webhooks.deliveries.queryOptions(input, {
      refetchInterval: ({ state }) => state.data?.deliveries.some(isUntried) === true && refreshMs,
    }),
  )
  const replay = useMutation({
    mutationFn: (deliveryId: string | undefined) => reader.api.webhooks.replay.mutate({ id, deliveryId }),
    onSettled: refreshWebhooks,
  })
  const deliveries = data?.deliveries ?? []
  const isLast = deliveries.length < pageSize
  const last = deliveries.at(-1)
  return (
    <Panel
      title="Deliveries"
      actions={
        <>
          <SelectField
            label="State"
            isLabelHidden
            className={styles['filter']}
            value={status ?? ''}
            onChange={({ target }) => {
              setStatus(states.find((each) => each === target.value))
              setPages([])
            }}
          >
            <option value="">All states</option>
            {states.map((each) => (
              <option key={each} value={each}>
                {names[each][0]}
              </option>
            ))}
          </SelectField>
          <Button size="small" isBusy={replay.isPending} onClick={() => replay.mutate(undefined)}>
            Replay all that failed
          </Button>
          <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
            Refresh
          </Button>
        </>
      }
    >
      <Stack>
        {(replay.error ?? error) && (
          <ErrorNotice error={replay.error ?? error} at={replay.error ? replay.submittedAt : errorUpdatedAt} />
        )}
        {!data && !error && <Skeleton width="100%" label="Loading the deliveries" />}
        {data && deliveries.length === 0 && <Empty>No deliveries. Send a test event to try the receiver.</Empty>}
        {deliveries.length > 0 && <DeliveryTable deliveries={deliveries} onReplay={replay.mutate} />}
        {(pages.length > 0 || !isLast) && (
          <div className={styles['pages']}>
            <Button size="small" disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
              Newer
            </Button>
            <Button size="small" disabled={isLast} onClick={() => last && setPages([...pages, last.position])}>
              Older
            </Button>
          </div>
        )}
      </Stack>
    </Panel>
  )
}

/** Whether an event waits for its first attempt. */
function isUntried({ status, attempts }: WebhookDelivery): boolean {
  return status === 'pending' && attempts === 0
}

const names: Readonly<Record<State, readonly [name: string, tone: Tone]>> = {
  pending: ['Pending', 'accent'],
  delivered: ['Delivered', 'positive'],
  'given-up': ['Failed', 'danger'],
}

type DeliveryTableProps = {
  readonly deliveries: readonly WebhookDelivery[]
  readonly onReplay: (deliveryId: string) => void
}

function DeliveryTable({ deliveries, onReplay }: DeliveryTableProps) {
  const [openId, setOpenId] = useState<string>()
  return (
    <ScrollTable caption="Deliveries of the webhook, the newest first">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">State</th>
          <th scope="col" data-number>
            Attempts
          </th>
          <th scope="col">Last attempt</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => {
          const { id, type, status, attempts, payload, createdAt } = delivery
          const [name, tone] = names[status]
          const isOpen = id === openId
          return (
            <Fragment key={id}>
              <tr>
                <th scope="row">
                  <code>{type}</code>
                </th>
                <td>
                  <Badge tone={tone}>{name}</Badge>
                </td>
                <td data-number>{attempts}</td>
                <td>
                  <Attempt delivery={delivery} />
                </td>
                <td data-number>
                  <Button size="small" onClick={() => onReplay(id)}>
                    Replay<span className="visually-hidden"> {id}</span>
                  </Button>{' '}
                  <Button size="small" aria-expanded={isOpen} onClick={() => setOpenId(isOpen ? undefined : id)}>
                    {isOpen ? 'Hide' : 'Show'}
                    <span className="visually-hidden"> the message {id}</span>
                  </Button>
                </td>
              </tr>
              {isOpen && (
                <tr>
                  <td colSpan={5} className={styles['url']}>
                    <p className="note">
                      <code>{id}</code>, created <KeyTime at={createdAt} hasTime />
                    </p>
                    <CodeBlock text={formatPayload(payload)} label="the message" />
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </ScrollTable>
  )
}

/** The outcome of the last attempt, and the time of the next. */
function Attempt({ delivery: { lastAttemptAt, lastStatus, lastError, nextAttemptAt, attempts } }: AttemptProps) {
  const outcome = failures[lastError ?? ''] ?? (lastStatus === undefined ? lastError : `HTTP ${lastStatus}`)
  return (
    <>
      {lastAttemptAt === undefined ? 'None yet' : <KeyTime at={lastAttemptAt} hasTime />}
      {outcome !== undefined && `, ${outcome}`}
      {nextAttemptAt !== undefined && attempts > 0 && (
        <>
          . Next: <KeyTime at={nextAttemptAt} hasTime />
        </>
      )}
    </>
  )
}

/** What the failures of an attempt mean. */
const failures: Readonly<Record<string, string>> = {
  redirect: 'redirects are not followed',
  timeout: 'no answer in time',
  'address-not-public': 'not a public address',
  'name-not-found': 'host not found',
  tls: 'TLS failed',
  connection: 'can’t connect',
  disabled: 'the webhook was disabled',
  secret: 'the service can’t read the secret',
}

type AttemptProps = { readonly delivery: WebhookDelivery }

function formatPayload(payload: string): string {
  return JSON.stringify(JSON.parse(payload), undefined, 2)
}
