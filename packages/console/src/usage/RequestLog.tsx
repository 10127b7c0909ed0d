import type { ListOwnRequestsInput, LoggedRequest } from '@agio/sdk'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { parseHash } from '../ui/hex.ts'
import { Empty, Row, Stack } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { RequestTable } from './RequestTable.tsx'
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
export function parseRequestFilter(text: string): RequestFilter {
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
