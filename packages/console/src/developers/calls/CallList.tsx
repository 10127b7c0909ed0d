import { useId } from 'react'
import type { Call } from '../../service/calls.ts'
import { Badge } from '../../ui/Badge.tsx'
import styles from './CallList.module.css'
import { describeResponse } from './describeResponse.ts'

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
      <span className={styles['facts']}>
        <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>
        <span>{response ? `${response.ms} ms` : ''}</span>
        <span>{code ?? ''}</span>
      </span>
    </>
  )
}
