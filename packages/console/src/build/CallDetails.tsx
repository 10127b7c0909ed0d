import { queryOptions, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { toPageMeta } from '../service/trpc.ts'
import { useSettings } from '../settings/console.ts'
import styles from './build.module.css'
import {
  describeResponse,
  formatResponse,
  formatSize,
  type OpenApiDocument,
  parseOperations,
  toCurl,
  toSdkCode,
} from './describeCall.ts'
import { ErrorLink, ErrorNotice } from '../errors/ErrorNotice.tsx'
import type { Call, CallResponse } from '../service/calls.ts'
import { requestJson } from '../service/requestJson.ts'
import { Address } from '../ui/Address.tsx'
import { Badge } from '../ui/Notice.tsx'
import { Button, CodeBlock } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'

/** Shows a call as a command and as code, with its response. */
export function CallDetails({ call }: { readonly call: Call }) {
  const [tab, setTab] = useState('curl')
  const tabs = [
    { id: 'curl', title: 'curl', content: <Curl call={call} /> },
    { id: 'sdk', title: 'SDK code', content: <Sdk call={call} /> },
    { id: 'response', title: 'Response', content: <Response response={call.response} /> },
    { id: 'raw', title: 'Raw response', content: <RawResponse response={call.response} /> },
  ]
  return (
    <section aria-label="Selected call" className={styles['details']}>
      <Facts call={call} />
      <Tabs label="The call as" tabs={tabs} selectedId={tab} onSelect={setTab} />
    </section>
  )
}

function Facts({ call: { procedure, at, response } }: { readonly call: Call }) {
  const { label, tone, code } = describeResponse(response)
  return (
    <header className={styles['callDetailsFacts']}>
      <h3>
        <code>{procedure}</code> <Badge tone={tone}>{label}</Badge>
      </h3>
      <p>
        <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>
        {response && `, ${response.ms} ms, ${formatSize(response.bytes)}`}
      </p>
      {code !== undefined && <ErrorLink code={code} />}
      {response?.requestId !== undefined && (
        <p className={styles['request']}>
          Request <Address value={response.requestId} label="the request id" />
        </p>
      )}
    </header>
  )
}

function Curl({ call }: { readonly call: Call }) {
  const { serviceUrl } = useSettings()
  const { data: operations, error, errorUpdatedAt, refetch } = useOperations()
  if (error) {
    const retry = <Button onClick={() => void refetch()}>Try again</Button>
    return <ErrorNotice error={error} at={errorUpdatedAt} actions={retry} />
  }
  if (!operations) return <Skeleton width="100%" label="Loading the REST operations" />
  const command = toCurl(call, { url: serviceUrl, operations })
  if (command === undefined) return <p>This procedure has no REST operation.</p>
  const variable = command.includes('$AGIO_ADMIN_KEY') ? 'AGIO_ADMIN_KEY' : 'AGIO_API_KEY'
  return (
    <>
      <CodeBlock text={command} label="the command" />
      <p className={classes('note', styles['spaced'])}>
        For a POSIX shell, over REST. Set the key first: <code>{`export ${variable}=…`}</code>
      </p>
    </>
  )
}

function Sdk({ call }: { readonly call: Call }) {
  const { servicePath, serviceUrl } = useSettings()
  return (
    <>
      <CodeBlock text={toSdkCode(call, serviceUrl)} label="the code" />
      <p className={classes('note', styles['spaced'])}>
        A program for Node, Deno or Bun, after you <a href={`${servicePath}/docs/sdk#install`}>install the SDK</a>. Keep
        the key on a server. A web page calls your own proxy instead.
      </p>
    </>
  )
}

function Response({ response }: { readonly response: CallResponse | undefined }) {
  if (!response) return <Waiting />
  const formatted = formatResponse(response)
  if (formatted === undefined) return <RawResponse response={response} />
  return <CodeBlock text={formatted} label="the formatted response" />
}

function RawResponse({ response }: { readonly response: CallResponse | undefined }) {
  if (!response) return <Waiting />
  const { text, isCut, bytes, isAborted } = response
  return (
    <>
      <CodeBlock text={text} label="the raw response" canWrap />
      {isCut && (
        <p className={classes('note', styles['spaced'])}>
          Showing the start of a response of {formatSize(bytes)}. The page does not keep the rest.
        </p>
      )}
      {isAborted && <p className={classes('note', styles['spaced'])}>Cancelled by the page.</p>}
    </>
  )
}

function Waiting() {
  return <Skeleton width="100%" label="Waiting for the response" />
}

const operationsOptions = queryOptions({
  queryKey: ['/openapi.json'],
  queryFn: async ({ signal, meta }) => {
    const path = `${toPageMeta(meta).servicePath}/openapi.json`
    return parseOperations((await requestJson(path, { signal })) as OpenApiDocument)
  },
  // The document changes only with the version of the service.
  staleTime: 'static',
  gcTime: Infinity,
})

/** Reads the REST operations from the OpenAPI document of the service when they are first needed. */
function useOperations() {
  return useQuery(operationsOptions)
}

/** Tabs with their content. The mouse, the arrow keys, Home and End select a tab. */
function Tabs({ label, tabs, selectedId, onSelect }: Tabs.Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const index = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === selectedId),
  )
  const select = (event: KeyboardEvent) => {
    const moved = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key]
    const tab = moved === undefined ? undefined : tabs.at(moved % tabs.length)
    if (!tab) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus()
  }
  return (
    <div className={styles['tabs']}>
      <div ref={list} role="tablist" aria-label={label} className={styles['tabList']}>
        {tabs.map((tab, position) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            data-tab={tab.id}
            aria-selected={position === index}
            aria-controls={`${id}-panel`}
            tabIndex={position === index ? 0 : -1}
            className={classes('tab', styles['tab'])}
            onClick={() => onSelect(tab.id)}
            onKeyDown={select}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${tabs[index]?.id}`}
        className={styles['tabsPanel']}
      >
        {tabs[index]?.content}
      </div>
    </div>
  )
}

declare namespace Tabs {
  type Props = {
    /** Accessible name of the tabs. */
    readonly label: string
    readonly tabs: readonly Tab[]
    readonly selectedId: string
    readonly onSelect: (id: string) => void
  }
  type Tab = { readonly id: string; readonly title: string; readonly content: ReactNode }
}
