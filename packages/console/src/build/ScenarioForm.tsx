import { useAgio } from '@agio/react/internal'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettings } from '../settings/console.ts'
import { useNetworks } from '../settings/network.ts'
import { ErrorLink } from '../errors/ErrorNotice.tsx'
import { createRequestError, requestJson } from '../service/requestJson.ts'
import { healthIntervalMs } from '../service/useHealth.ts'
import { Badge, Notice } from '../ui/Notice.tsx'
import { Button } from '../ui/Button.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import {
  describeActive,
  type Scenario,
  type ScenarioChain,
  type ScenarioFields,
  type ScenarioList,
  type ScenarioOption,
  type ScenarioResult,
  toFields,
} from './Scenario.ts'
import styles from './build.module.css'

/** The form of a scenario: its options, its effect on callers, and the chains where it is active. */
export function ScenarioForm({ scenario, chain, chains, resetAt }: ScenarioForm.Props) {
  const { nameOfChain } = useNetworks()
  const { name, description, effect, options, isMomentary = false } = scenario
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>(suggested)
  const run = useRunScenario(name)
  const off = useResetScenarios()
  // Results from before the reset are outdated.
  const { error, data: result } = run.submittedAt > Math.max(resetAt, off.submittedAt) ? run : noRun
  const isOn = chain.active.some((fault) => fault.scenario === name)
  const active = describeActive(name, { chains, nameOfChain })
  return (
    <form
      aria-label={name}
      className={styles['scenario']}
      onSubmit={(event) => {
        event.preventDefault()
        run.mutate({ ...toFields(scenario, entered), chainId: chain.chainId })
      }}
    >
      <header className={styles['header']}>
        <h3 className="named">
          <code>{name}</code> {active.length > 0 && <Badge tone="warning">On</Badge>}
        </h3>
        <span className={styles['actions']}>
          {isOn && (
            <Button
              size="small"
              isBusy={off.isPending}
              onClick={() => off.mutate({ chainId: chain.chainId, scenario: name })}
            >
              Turn off<span className="visually-hidden"> {name}</span>
            </Button>
          )}
          <Button type="submit" size="small" isBusy={run.isPending}>
            {isMomentary ? 'Run' : active.length > 0 ? 'Turn on again' : 'Turn on'}
            <span className="visually-hidden"> {name}</span>
          </Button>
        </span>
      </header>
      <p>{description}.</p>
      <p className={styles['effect']}>
        Callers get <Effect text={effect} />.
      </p>
      {active.length > 0 && (
        <ul aria-label={`Active faults of ${name}`} className={styles['active']}>
          {active.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {Object.keys(options).length > 0 && (
        <div className={styles['options']}>
          {Object.entries(options).map(([option, spec]) => (
            <ScenarioOptionField
              key={option}
              name={option}
              option={spec}
              chain={chain}
              value={entered[option] ?? ''}
              onChange={(value) => setEntered({ ...entered, [option]: value })}
            />
          ))}
        </div>
      )}
      <output className={styles['result']}>
        {result && `Done: callers see it from block ${result.blockNumber} on.`}
      </output>
      {error && (
        <Notice tone="danger" title="The fault was not injected">
          {error.message}
        </Notice>
      )}
      {off.error && (
        <Notice tone="danger" title="The fault was not removed">
          {off.error.message}
        </Notice>
      )}
    </form>
  )
}

export declare namespace ScenarioForm {
  type Props = {
    readonly scenario: Scenario
    /** The chain to inject the fault into. */
    readonly chain: ScenarioChain
    readonly chains: readonly ScenarioChain[]
    /** Time of the last reset, in milliseconds; 0 before the first. */
    readonly resetAt: number
  }
}

const noRun = { error: null, data: undefined }

/** Default values with a visible effect, so that a scenario needs only one click. */
const suggested: Readonly<Record<string, string>> = { percent: '-5', depth: '3', ms: '5000' }

/** Shows the effect on callers. Error codes link to their documentation. */
function Effect({ text }: { readonly text: string }) {
  return text.split(/(svc\/[a-z-]+|`[^`]+`)/).map((part, index) => {
    const key = `${index} ${part}`
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>
    return part.startsWith('svc/') ? <ErrorLink key={key} code={part} /> : part
  })
}

/** The field of an option of a scenario: a choice of values or of the names of a chain, a hash, or a number in its range. */
function ScenarioOptionField({ name, option, chain, value, onChange }: ScenarioOptionField.Props) {
  const { description, isOptional = false } = option
  if (option.type === 'name' || option.type === 'choice') {
    const values = option.type === 'name' ? chain[option.of] : option.of
    return (
      <SelectField
        label={name}
        hint={description}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        required={!isOptional}
      >
        <option value="">{toEmptyLabel(option)}</option>
        {values.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
    )
  }
  if (option.type === 'hash') {
    return (
      <TextField
        label={name}
        hint={description}
        required={!isOptional}
        pattern="0x[0-9a-fA-F]{64}"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  }
  const { min, max, isWhole = false } = option
  return (
    <TextField
      label={name}
      hint={`${description}, from ${min} to ${max}`}
      type="number"
      required={!isOptional}
      min={min}
      max={max}
      step={isWhole ? 1 : 'any'}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function toEmptyLabel({ type, isOptional = false }: ScenarioOption): string {
  if (!isOptional) return 'Choose'
  return type === 'name' ? 'all' : 'default'
}

declare namespace ScenarioOptionField {
  type Props = {
    readonly name: string
    readonly option: ScenarioOption
    /** The chain with the names to choose from. */
    readonly chain: ScenarioChain
    readonly value: string
    readonly onChange: (value: string) => void
  }
}

/** Polls the scenarios of the local stack and the active faults of each chain. */
export function useScenarios() {
  const requestStack = useStackRequest()
  return useQuery({
    queryKey: ['/local/scenarios'],
    queryFn: ({ signal }) => requestStack<ScenarioList>('/scenarios', { signal }),
    // Other tabs and `pnpm scenario` may inject faults, too. The request does not count against limits.
    refetchInterval: healthIntervalMs,
  })
}

/** Injects a fault, and returns the first block where callers see it. Then refreshes all data of the page. */
function useRunScenario(name: string) {
  const requestStack = useStackRequest()
  return useMutation({
    mutationFn: (fields: ScenarioFields) =>
      requestStack<ScenarioResult>(`/scenarios/${name}`, { method: 'POST', body: JSON.stringify(fields) }),
    onSettled: useRefreshAll(),
  })
}

/** Removes all faults, or those of one chain or one scenario, then refreshes all data of the page. */
export function useResetScenarios() {
  const requestStack = useStackRequest()
  return useMutation({
    mutationFn: (fields: ResetFields) =>
      requestStack('/scenarios/reset', { method: 'POST', body: JSON.stringify(fields) }),
    onSettled: useRefreshAll(),
  })
}

/** Returns a function that reads all data of the page again. */
export function useRefreshAll(): () => void {
  const { polls } = useAgio()
  const queryClient = useQueryClient()
  return () => {
    void queryClient.invalidateQueries()
    polls.refresh()
  }
}

type ResetFields = { readonly chainId?: number; readonly scenario?: string }

type Answer<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly error: string; readonly code: string; readonly requestId?: string }

/** Returns a function that requests a path of the local stack, and throws a `RequestError`. */
export function useStackRequest() {
  const { servicePath, local } = useSettings()
  return async <Data,>(path: string, init: RequestInit): Promise<Data> => {
    const headers = { 'content-type': 'application/json', 'x-admin-key': local?.adminKey ?? '' }
    const answer = (await requestJson(`${servicePath}/local${path}`, { ...init, headers })) as Answer<Data>
    if (answer.success) return answer.data
    const { code, error, requestId } = answer
    throw createRequestError({ code, message: error, requestId })
  }
}
