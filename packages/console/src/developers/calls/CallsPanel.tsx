import { useState } from 'react'
import { Link } from 'wouter'
import { unretriedAgio } from '../../service/agio.ts'
import { clearCalls, maxCalls, useCalls, type Call } from '../../service/calls.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { CallDetails } from './CallDetails.tsx'
import { CallList } from './CallList.tsx'
import styles from './CallsPanel.module.css'

/** The last calls of the page, newest first, each as code to repeat it. */
export function CallsPanel() {
  const { calls, total } = useCalls()
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
          <Button size="small" aria-disabled={calls.length === 0} onClick={clearCalls}>
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
    <div className={styles['calls']}>
      <CallList calls={calls} selected={selected} onSelect={setSelectedId} />
      <CallDetails call={selected} />
    </div>
  )
}

function NoCalls({ total }: { readonly total: number }) {
  return (
    <div className={styles['empty']}>
      <p>
        {total === 0 ? 'No calls yet.' : 'The list was cleared.'} Each call of the console appears here as a curl
        command, as code, and with its raw response. <Link href="/">Convert something</Link>, open the{' '}
        <Link href="/pools">pools</Link>, or try an example.
      </p>
      {/* The list shows the result, including errors. */}
      <Button onClick={() => void unretriedAgio.api.chains.list.query().catch(() => {})}>List the networks</Button>
    </div>
  )
}
