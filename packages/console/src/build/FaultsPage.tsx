import { useNow } from '@agio/react/internal'
import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSettings } from '../settings/console.ts'
import { ScenarioForm, useRefreshAll, useResetScenarios, useScenarios, useStackRequest } from './ScenarioForm.tsx'
import styles from './build.module.css'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { useNetwork } from '../settings/network.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Page, Panel, Skeleton, Stack } from '../ui/Panel.tsx'

/** The page of the faults and the time of a local stack. For other services it says how to start one. */
export function FaultsPage() {
  const settings = useSettings()
  if (settings.local) {
    return (
      <Page title="Faults and time" intro="Break something on purpose. Every page reacts live.">
        <TimePanel />
        <LocalScenarios />
      </Page>
    )
  }
  return (
    <Page title="Faults and time">
      <Panel title="Break something on purpose">
        <p>
          A local stack has faults on demand, such as stale prices and failing nodes, and its own time. Run{' '}
          <code>npx -y pnpm@12 start</code> in a checkout of Agio, and open the console at the printed URL.
        </p>
      </Panel>
    </Page>
  )
}

const travels = ['+1 hour', '+1 day', 'market-open', 'market-close'] as const

/** Shows the time of the local stack, and moves it forward. */
function TimePanel() {
  const { data, error, errorUpdatedAt, dataUpdatedAt } = useTime()
  const travel = useTravel()
  const [to, setTo] = useState('+2 hours')
  const elapsedMs = Math.max(0, useNow() - dataUpdatedAt)
  const failure = travel.error ?? error
  return (
    <Panel title="Time of the stack">
      <Stack>
        <p className={styles['now']}>
          {data ? (
            <time dateTime={data.time} className={styles['clock']}>
              {new Date(Date.parse(data.time) + elapsedMs).toLocaleString()}
            </time>
          ) : (
            !error && <Skeleton width="12rem" label="Loading the time" />
          )}
        </p>
        <form
          className={styles['travel']}
          onSubmit={(event) => {
            event.preventDefault()
            if (!travel.isPending) travel.mutate(to)
          }}
        >
          <TextField
            label="Travel to"
            hint="Time only moves forward: +2 hours, 2027-01-01, market-open or market-close"
            required
            list="travels"
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
          <datalist id="travels">
            {travels.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </datalist>
          <Button type="submit" isBusy={travel.isPending}>
            Travel
          </Button>
        </form>
        {failure && <ErrorNotice error={failure} at={travel.error ? travel.submittedAt : errorUpdatedAt} />}
      </Stack>
    </Panel>
  )
}

type StackTime = { readonly time: string }

/** Reads the time of the local stack. */
function useTime() {
  const requestStack = useStackRequest()
  return useQuery({
    queryKey: ['/local/time'],
    queryFn: ({ signal }) => requestStack<StackTime>('/time', { signal }),
  })
}

/** Moves the local stack to a later time, then refreshes all data of the page. */
function useTravel() {
  const requestStack = useStackRequest()
  return useMutation({
    mutationFn: (to: string) => requestStack<StackTime>('/time', { method: 'POST', body: JSON.stringify({ to }) }),
    onSettled: useRefreshAll(),
  })
}

function LocalScenarios() {
  const { data, error, errorUpdatedAt } = useScenarios()
  const { network } = useNetwork()
  const [chosenId, setChosenId] = useState<number>()
  const reset = useResetScenarios()
  const chains = data?.chains ?? []
  const chain = chains.find(({ chainId }) => chainId === (chosenId ?? network.chainId)) ?? chains[0]
  const isAnyActive = chains.some(({ active }) => active.length > 0)
  return (
    <Panel
      title="Faults"
      actions={
        <>
          <ChainField chainId={chain?.chainId ?? network.chainId} onChoose={setChosenId} />
          <Button size="small" isBusy={reset.isPending} onClick={() => reset.mutate({})}>
            Reset everything
          </Button>
        </>
      }
    >
      <Stack>
        <p className={styles['intro']}>
          A fault stays until you turn it off.{' '}
          <output>{reset.isSuccess && !isAnyActive && 'No fault is active.'}</output>
        </p>
        {(reset.error ?? error) && (
          <ErrorNotice error={reset.error ?? error} at={reset.error ? reset.submittedAt : errorUpdatedAt} />
        )}
        {data && chain && (
          <ul className={styles['scenarios']}>
            {data.scenarios
              .filter(({ name }) => name !== 'reset')
              .map((scenario) => (
                <li key={scenario.name}>
                  <ScenarioForm scenario={scenario} chain={chain} chains={chains} resetAt={reset.submittedAt} />
                </li>
              ))}
          </ul>
        )}
        {!data && !error && <Skeleton width="100%" label="Loading the scenarios" />}
      </Stack>
    </Panel>
  )
}

function ChainField({ chainId, onChoose }: ChainFieldProps) {
  const settings = useSettings()
  return (
    <SelectField
      label="Chain"
      isLabelHidden
      className={styles['chain']}
      value={chainId}
      onChange={({ target }) => onChoose(Number(target.value))}
    >
      {settings.networks.map((network) => (
        <option key={network.chainId} value={network.chainId}>
          {network.name}
        </option>
      ))}
    </SelectField>
  )
}

type ChainFieldProps = { readonly chainId: number; readonly onChoose: (chainId: number) => void }
