import { useNow } from '@agio/react/internal'
import type { ListOwnRequestsInput, LoggedRequest } from '@agio/sdk'
import { type FormEvent, type ReactNode, Fragment, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { ErrorLink } from '../errors/ErrorNotice.tsx'
import { formatDuration } from '../time/formatDuration.ts'
import { Badge } from '../ui/Notice.tsx'
import { Button, CodeBlock, CopyButton } from '../ui/Button.tsx'
import { Empty, Fact, Facts, Panel, Row, ScrollTable, Skeleton, Stack } from '../ui/Panel.tsx'
import { TextField } from '../ui/Field.tsx'
import { classes } from '../ui/classes.ts'
import { parseHash } from '../ui/Address.tsx'
import styles from './usage.module.css'

/** The number of requests that a page of the log shows. */
export const requestsPerPage = 50

/** The filter of the log, as the service reads it. */
export type RequestFilter = Pick<
  NonNullable<ListOwnRequestsInput>,
  'operation' | 'status' | 'code' | 'requestId' | 'transactionHash' | 'before'
>

/** The state of the log: its filter from `?find=` in the URL, and its page. */
export function useRequestFilter() {
  const [search, setSearch] = useSearchParams()
  const [before, setBefore] = useState<readonly string[]>([])
  const text = search.get('find') ?? ''
  return {
    text,
    filter: { ...parseRequestFilter(text), before: before.at(-1) } satisfies RequestFilter,
    find(next: string) {
      setBefore([])
      setSearch(next === '' ? {} : { find: next }, { replace: true })
    },
    isFirst: before.length === 0,
    showOlder: (last: LoggedRequest) => setBefore([...before, last.id]),
    showNewer: () => setBefore(before.slice(0, -1)),
  }
}

/** Reads what a user searches for: a transaction hash, an error code, a status, an operation, or else a request id. */
function parseRequestFilter(text: string): RequestFilter {
  const trimmed = text.trim()
  const hash = parseHash(trimmed)
  if (trimmed === '') return {}
  if (hash !== undefined) return { transactionHash: hash }
  // The service refuses unknown codes.
  if (trimmed.startsWith('svc/')) return { code: trimmed as Exclude<RequestFilter['code'], undefined> }
  if (/^[1-5]\d\d$/.test(trimmed)) return { status: Number(trimmed) }
  return trimmed.includes('.') ? { operation: trimmed } : { requestId: trimmed }
}

/** A log of requests with its search and its pages. */
export function RequestLog({ title, state, requests, error, isFetching, onRefresh, nameKey, tools }: RequestLog.Props) {
  const [text, setText] = useState(state.text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    state.find(text.trim())
  }
  const last = requests?.at(-1)
  const isLast = (requests?.length ?? 0) < requestsPerPage
  return (
    <Panel
      title={title}
      actions={
        <Button size="small" isBusy={isFetching} onClick={onRefresh}>
          Refresh
        </Button>
      }
    >
      <Stack>
        <form onSubmit={submit} className={styles['find']}>
          <TextField
            label="Request id, operation, status, error code or transaction"
            type="search"
            spellCheck={false}
            autoComplete="off"
            placeholder="For example 422, convert.quote or svc/stale-price"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {tools}
          <Button type="submit">Find</Button>
        </form>
        {error}
        {requests && requests.length > 0 && (
          <RequestTable caption={`${title}, newest first`} requests={requests} nameKey={nameKey} />
        )}
        {requests?.length === 0 && (
          <Empty>
            {state.text === '' && state.isFirst
              ? 'No requests yet. The first call of the key appears here.'
              : 'No requests match.'}
          </Empty>
        )}
        {!requests && !error && <Skeleton width="100%" label="Loading the requests" />}
        {(!state.isFirst || !isLast) && (
          <Row>
            <Button size="small" aria-disabled={state.isFirst} onClick={() => !state.isFirst && state.showNewer()}>
              Newer
            </Button>
            <Button
              size="small"
              aria-disabled={isLast}
              onClick={() => !isLast && last !== undefined && state.showOlder(last)}
            >
              Older
            </Button>
          </Row>
        )}
      </Stack>
    </Panel>
  )
}

export declare namespace RequestLog {
  type Props = Pick<RequestTable.Props, 'nameKey'> & {
    readonly title: string
    readonly state: ReturnType<typeof useRequestFilter>
    /** Undefined while they are loading. */
    readonly requests: RequestTable.Props['requests'] | undefined
    /** The notice of an error. */
    readonly error: ReactNode
    readonly isFetching: boolean
    readonly onRefresh: () => void
    /** More fields of the search. */
    readonly tools?: ReactNode
  }
}

type Request = LoggedRequest & { readonly keyId?: string }

/** A table of logged requests, newest first. A row opens to its details. */
function RequestTable({ caption, requests, nameKey }: RequestTable.Props) {
  const [openId, setOpenId] = useState<string>()
  return (
    <ScrollTable caption={caption} className={styles['log']}>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Operation</th>
          <th scope="col">Result</th>
          {nameKey && <th scope="col">Key</th>}
          <th scope="col" data-number className={styles['duration']}>
            Duration
          </th>
          <th scope="col">
            <span className="visually-hidden">Details</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => {
          const isOpen = request.id === openId
          return (
            <Fragment key={request.id}>
              <tr className={classes(isOpen && styles['openRow'])}>
                <td>
                  <LoggedAt at={request.at} />
                </td>
                <th scope="row">
                  <code>{request.operation}</code>
                </th>
                <td>
                  <Result {...request} />
                </td>
                {nameKey && <td>{request.keyId === undefined ? '–' : nameKey(request.keyId)}</td>}
                <td data-number className={styles['duration']}>
                  {request.durationMs.total} ms
                </td>
                <td data-number>
                  <Button
                    size="small"
                    aria-expanded={isOpen}
                    onClick={() => setOpenId(isOpen ? undefined : request.id)}
                  >
                    {isOpen ? 'Hide' : 'Show'}
                    <span className="visually-hidden"> the request {request.requestId}</span>
                  </Button>
                </td>
              </tr>
              {isOpen && (
                <tr className={styles['detailRow']}>
                  <td colSpan={nameKey ? 6 : 5}>
                    <Details request={request} />
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

declare namespace RequestTable {
  type Props = {
    readonly caption: string
    readonly requests: readonly Request[]
    /** Names the key of a request. Without it, the table has no column of keys. */
    readonly nameKey?: ((keyId: string) => ReactNode) | undefined
  }
}

function Result({ status, code }: Pick<Request, 'status' | 'code'>) {
  return (
    <span className={styles['result']}>
      <Badge tone={status < 400 ? 'positive' : status < 500 ? 'warning' : 'danger'}>{status}</Badge>
      {code !== undefined && <ErrorLink code={code} />}
    </span>
  )
}

function Details({ request }: { readonly request: Request }) {
  const { requestId, durationMs, nodeRequests, input, nearestInput, transactionHash, code } = request
  return (
    <div className={styles['details']}>
      <Facts>
        <Fact name="Request id">
          <code>{requestId}</code>
          <CopyButton text={requestId} label="Copy the request id" />
        </Fact>
        <Fact name="Duration">
          {durationMs.total} ms: edge {durationMs.edge}, queue {durationMs.queue}, node {durationMs.node}
        </Fact>
        <Fact name="Node requests">{nodeRequests}</Fact>
        <Fact name="Cause">{code === undefined ? undefined : <ErrorLink code={code} />}</Fact>
        <Fact name="Transaction">
          {transactionHash !== undefined && <Link href={`/receipt/${transactionHash}`}>Receipt</Link>}
        </Fact>
      </Facts>
      {input !== undefined && <CodeBlock text={JSON.stringify(input, undefined, 2)} label="the input" />}
      {nearestInput !== undefined && (
        <>
          <p className="note">The closest input that the operation accepts:</p>
          <CodeBlock text={JSON.stringify(nearestInput, undefined, 2)} label="the closest input" />
        </>
      )}
    </div>
  )
}

function LoggedAt({ at }: { readonly at: string }) {
  const seconds = (useNow(10_000) - Date.parse(at)) / 1000
  const isRecent = seconds < 3600
  return (
    <time dateTime={at} title={at}>
      {isRecent
        ? `${formatDuration(seconds < 60 ? seconds : seconds - (seconds % 60))} ago`
        : new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  )
}
