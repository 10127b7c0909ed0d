import { type AuditLog, type AuditVerification, verifyAuditLog } from '@agio/sdk/admin'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSettings } from '../settings/console.ts'
import { KeyTime } from '../time/Age.tsx'
import { Button, CopyButton } from '../ui/Button.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Empty, Panel, Row, ScrollTable, Skeleton, Stack } from '../ui/Panel.tsx'
import { RequestLog, requestsPerPage, useRequestFilter } from '../usage/RequestLog.tsx'
import { AdminErrorNotice, adminQueries, OperatorPage, useAdmin, useKeys } from './AdminKeyForm.tsx'
import styles from './operate.module.css'

/** The page of the request logs of all keys. */
export function KeyRequestsPage() {
  return (
    <OperatorPage title="Requests" intro="The latest calls of all API keys, without secrets.">
      <KeyRequests />
    </OperatorPage>
  )
}

function KeyRequests() {
  const admin = useAdmin()
  const state = useRequestFilter()
  const [keyId, setKeyId] = useState('')
  const { data: keys } = useKeys()
  const input = { ...state.filter, limit: requestsPerPage, ...(keyId !== '' && { keyId }) }
  const { data, error, errorUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: [adminQueries, 'requests', input],
    queryFn: ({ signal }) => admin.requests.query(input, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <RequestLog
      title="Requests of all keys"
      state={state}
      requests={data?.requests}
      error={error && <AdminErrorNotice error={error} at={errorUpdatedAt} />}
      isFetching={isFetching}
      onRefresh={() => void refetch()}
      nameKey={(id) => keys?.get(id)?.name ?? id}
      tools={
        <SelectField label="Key" value={keyId} onChange={({ target }) => setKeyId(target.value)}>
          <option value="">All keys</option>
          {[...(keys?.values() ?? [])].map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      }
    />
  )
}

/** The page of the audit log: each change by an operator, and the verification of the log. */
export function AuditPage() {
  const { servicePath } = useSettings()
  return (
    <OperatorPage
      title="Audit"
      intro={
        <>
          Each change by an operator. The events are a chain of hashes, which shows what was changed or removed. See{' '}
          <a href={`${servicePath}/docs/operate/audit`}>how it works</a>.
        </>
      }
    >
      <Verification />
      <AuditEvents />
    </OperatorPage>
  )
}

function Verification() {
  const admin = useAdmin()
  const verification = useMutation({
    mutationFn: () => verifyAuditLog((page) => admin.audit.query(page)),
  })
  return (
    <Panel
      title="Verification"
      actions={
        <Button size="small" isBusy={verification.isPending} onClick={() => verification.mutate()}>
          Verify the log
        </Button>
      }
    >
      <Stack>
        {verification.data ? (
          <Verdict of={verification.data} />
        ) : (
          <p className="note">Reads the whole log and computes each hash again, in this browser.</p>
        )}
        {verification.error && <AdminErrorNotice error={verification.error} at={verification.submittedAt} />}
      </Stack>
    </Panel>
  )
}

function Verdict({ of: { newest, removed, count, fault } }: { readonly of: AuditVerification }) {
  if (fault) {
    const what = fault.kind === 'changed' ? 'was changed or moved' : 'was removed'
    return (
      <Notice tone="danger" title="The log is not as it was written">
        The first fault: event {fault.position} {what}.
      </Notice>
    )
  }
  const link = `${newest.position}:${newest.hash}:${removed.position}`
  return (
    <Notice tone="positive" title={`The log is complete: ${count === 1 ? '1 event' : `${count} events`}`}>
      Keep the newest event. With it, <code>agio keys audit --verify --known</code> also finds a log that was replaced.
      <CopyButton text={link} label="Copy the newest event">
        Copy
      </CopyButton>
    </Notice>
  )
}

const pageSize = 50

function AuditEvents() {
  const admin = useAdmin()
  const [filter, setFilter] = useState<Readonly<Record<string, string>>>({})
  const [pages, setPages] = useState<readonly number[]>([])
  const input = { ...filter, before: pages.at(-1), limit: pageSize }
  const { data, error, errorUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: [adminQueries, 'audit', input],
    queryFn: ({ signal }) => admin.audit.query(input, { signal }),
    placeholderData: keepPreviousData,
  })
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entered = [...new FormData(event.currentTarget)].map(
      ([name, value]) => [name, typeof value === 'string' ? value.trim() : ''] as const,
    )
    setFilter(Object.fromEntries(entered.filter(([, value]) => value !== '')))
    setPages([])
  }
  const events = data?.events ?? []
  const last = events.at(-1)
  return (
    <Panel
      title="Events"
      actions={
        <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      }
    >
      <Stack>
        <form className={styles['tools']} onSubmit={find}>
          <TextField label="Operator" name="operator" autoComplete="off" />
          <TextField label="Operation" name="operation" placeholder="admin.keys.revoke" autoComplete="off" />
          <TextField label="Changed" name="target" placeholder="key_…" autoComplete="off" />
          <Button type="submit">Find</Button>
        </form>
        {error && <AdminErrorNotice error={error} at={errorUpdatedAt} />}
        {!data && !error && <Skeleton width="100%" label="Loading the audit log" />}
        {data && events.length === 0 && (
          <Empty>{Object.keys(filter).length === 0 ? 'No changes by operators yet.' : 'No events match.'}</Empty>
        )}
        {events.length > 0 && <EventTable events={events} />}
        {(pages.length > 0 || events.length === pageSize) && (
          <Row>
            <Button size="small" disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
              Newer
            </Button>
            <Button
              size="small"
              disabled={events.length < pageSize}
              onClick={() => last && setPages([...pages, last.position])}
            >
              Older
            </Button>
          </Row>
        )}
      </Stack>
    </Panel>
  )
}

/** A table of audit events, newest first. */
function EventTable({ events }: { readonly events: AuditLog['events'] }) {
  return (
    <ScrollTable caption="Audit events, the newest first">
      <thead>
        <tr>
          <th scope="col" data-number>
            Event
          </th>
          <th scope="col">Time</th>
          <th scope="col">Operator</th>
          <th scope="col">Operation</th>
          <th scope="col">Changed</th>
          <th scope="col">Fields</th>
          <th scope="col">Address</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.position}>
            <td data-number>{event.position}</td>
            <td>
              <KeyTime at={event.time} hasTime />
            </td>
            <td>{event.operator}</td>
            <th scope="row">
              <code>{event.operation}</code>
            </th>
            <td>
              <code>{event.target}</code>
            </td>
            <td>{event.fields.join(', ') || '–'}</td>
            <td>{event.address}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  )
}
