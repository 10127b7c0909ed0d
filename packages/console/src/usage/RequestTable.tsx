import { useNow } from '@agio/react/internal'
import type { LoggedRequest } from '@agio/sdk'
import { Fragment, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { ErrorLink } from '../errors/ErrorLink.tsx'
import { formatDuration } from '../time/formatDuration.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Fact, Facts } from '../ui/Facts.tsx'
import { ScrollTable } from '../ui/ScrollTable.tsx'
import styles from './usage.module.css'

type Request = LoggedRequest & { readonly keyId?: string }

/** A table of logged requests, newest first. A row opens to its details. */
export function RequestTable({ caption, requests, nameKey }: RequestTable.Props) {
  const [openId, setOpenId] = useState<string>()
  return (
    <ScrollTable caption={caption}>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Operation</th>
          <th scope="col">Result</th>
          {nameKey && <th scope="col">Key</th>}
          <th scope="col" data-number>
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
                <td data-number>{request.durationMs.total} ms</td>
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

export declare namespace RequestTable {
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
