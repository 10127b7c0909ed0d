import { useAgio } from '@agio/react/internal'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { useSettings } from '../settings/console.ts'
import { CallDetails } from './CallDetails.tsx'
import styles from './build.module.css'
import { describeResponse } from './describeCall.ts'
import { type Call, maxCalls } from '../service/calls.ts'
import { useCalls } from '../service/useCalls.ts'
import { findInstallCommand } from '../settings/settings.ts'
import { Badge } from '../ui/Notice.tsx'
import { Button, CopyButton } from '../ui/Button.tsx'
import { SelectField } from '../ui/Field.tsx'
import { Page, Panel, Stack } from '../ui/Panel.tsx'

/** The page of the calls of this console, each as code to repeat it, with the addresses of the API. */
export function CallsPage() {
  return (
    <Page title="API calls" intro="Each call of this console as a command and as code that you can run.">
      <CallsPanel />
      <ReferencePanel />
    </Page>
  )
}

/** Links to the interfaces and their documentation. */
function ReferencePanel() {
  const settings = useSettings()
  const { servicePath, serviceUrl } = settings
  const install = findInstallCommand(settings)
  return (
    <Panel title="Reference">
      <dl className={styles['reference']}>
        <Address name="REST" value={`${serviceUrl}/api/v1`} />
        <Address name="tRPC" value={`${serviceUrl}/trpc`} />
        {install !== undefined && <Address name="SDK" value={install} />}
        <dt>Version</dt>
        <dd>
          <code>{settings.version}</code>
        </dd>
      </dl>
      <ul className={styles['links']}>
        <li>
          <a href={`${servicePath}/docs`}>Guides</a>
        </li>
        <li>
          <a href={`${servicePath}/docs/sdk`}>SDK</a>
        </li>
        <li>
          <a href={`${servicePath}/docs/api`}>API reference</a>
        </li>
        <li>
          <a href={`${servicePath}/docs/errors`}>Error codes</a>
        </li>
        <li>
          <a href={`${servicePath}/openapi.json`}>openapi.json</a>
        </li>
      </ul>
    </Panel>
  )
}

function Address({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton text={value} label={`Copy ${value}`} />
      </dd>
    </>
  )
}

/** The last calls of the page, newest first, each as code to repeat it. */
export function CallsPanel() {
  const { calls, total, clear } = useCalls()
  const [filter, setFilter] = useState('')
  const procedures = [...new Set(calls.map(({ procedure }) => procedure))].toSorted()
  // The filtered procedure may no longer have calls.
  const filtered = procedures.includes(filter) ? calls.filter(({ procedure }) => procedure === filter) : calls
  return (
    <Panel
      title="Calls"
      actions={
        <>
          <SelectField
            label="Procedure"
            isLabelHidden
            className={styles['filter']}
            value={procedures.includes(filter) ? filter : ''}
            onChange={({ target }) => setFilter(target.value)}
          >
            <option value="">All procedures</option>
            {procedures.map((procedure) => (
              <option key={procedure}>{procedure}</option>
            ))}
          </SelectField>
          {/* The button stays in the page to keep the focus. */}
          <Button size="small" aria-disabled={calls.length === 0} onClick={clear}>
            Clear
          </Button>
        </>
      }
    >
      {calls.length === 0 ? <NoCalls total={total} /> : <Calls calls={filtered} />}
      {calls.length > 0 && (
        <p className={styles['total']}>
          {total === 1 ? '1 call' : `${total} calls`} since the page was opened. The last {maxCalls} are kept only in
          the memory of this page, without keys.
        </p>
      )}
    </Panel>
  )
}

function Calls({ calls }: { readonly calls: readonly Call[] }) {
  const [selectedId, setSelectedId] = useState<number>()
  // The newest call by default, also if the selected call is gone.
  const selected = calls.find(({ id }) => id === selectedId) ?? calls[0]
  if (!selected) return null
  return (
    <Stack className={styles['calls']}>
      <CallList calls={calls} selected={selected} onSelect={setSelectedId} />
      <CallDetails call={selected} />
    </Stack>
  )
}

function NoCalls({ total }: { readonly total: number }) {
  const { reader } = useAgio()
  return (
    <div className={styles['empty']}>
      <p>
        {total === 0 ? 'No calls yet.' : 'The list was cleared.'} Each call of the console appears here as a curl
        command, as code, and with its raw response. <Link href="/">Convert something</Link>, open the{' '}
        <Link href="/pools">pools</Link>, or try an example.
      </p>
      {/* The list shows the result, including errors. */}
      <Button onClick={() => void reader.api.chains.list.query().catch(() => {})}>List the networks</Button>
    </div>
  )
}

/** A list of calls. One call is selected, by the mouse or the arrow keys. */
export function CallList({ calls, selected, onSelect }: CallList.Props) {
  const name = useId()
  return (
    <fieldset className={styles['list']}>
      <legend className="visually-hidden">Calls, the newest first</legend>
      {calls.map((call) => (
        <label key={call.id} className={styles['call']}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={call === selected}
            onChange={() => onSelect(call.id)}
            // Keeps the selection when a newer call arrives.
            onFocus={() => onSelect(call.id)}
          />
          <CallLine call={call} />
        </label>
      ))}
    </fieldset>
  )
}

export declare namespace CallList {
  type Props = {
    readonly calls: readonly Call[]
    readonly selected: Call
    readonly onSelect: (id: number) => void
  }
}

function CallLine({ call: { procedure, at, response } }: { readonly call: Call }) {
  const { label, tone, code } = describeResponse(response)
  return (
    <>
      <code className={styles['procedure']}>{procedure}</code>
      <Badge tone={tone}>{label}</Badge>
      <span className={styles['callListFacts']}>
        <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>
        <span>{response ? `${response.ms} ms` : ''}</span>
        <span>{code ?? ''}</span>
      </span>
    </>
  )
}
