import { useState } from 'react'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { nameOfChain } from '../../settings/nameOfChain.ts'
import { useNetwork } from '../../settings/network.ts'
import { settings } from '../../settings/settings.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { ScenarioChain } from './scenarioApi.ts'
import { ScenarioForm } from './ScenarioForm.tsx'
import styles from './ScenariosPanel.module.css'
import { useResetScenarios, useScenarios } from './useScenarios.ts'

/**
 * Injects faults into the chains of a local stack and removes them. For other services it explains how to start a local
 * stack.
 */
export function ScenariosPanel() {
  if (settings.local) return <LocalScenarios />
  return (
    <Panel title="Scenarios">
      <p className={styles['intro']}>
        A local stack injects faults on demand: stale prices, thin or frozen pools, reorganisations, failing nodes. This
        service does not support them. Run <code>npx -y pnpm@12 start</code> in a checkout of Agio and open the console
        at the printed URL.
      </p>
    </Panel>
  )
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
      title="Scenarios"
      actions={
        <>
          {chain && <ChainField chains={chains} chain={chain} onChoose={setChosenId} />}
          <Button size="small" isBusy={reset.isPending} onClick={() => reset.mutate({})}>
            Reset everything
          </Button>
        </>
      }
    >
      <div className={styles['parts']}>
        <p className={styles['intro']}>
          Each scenario injects a fault into the selected chain or its node connection until you turn it off. All pages
          show the effect at once. <output>{reset.isSuccess && !isAnyActive && 'No fault is active.'}</output>
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
      </div>
    </Panel>
  )
}

function ChainField({ chains, chain, onChoose }: ChainFieldProps) {
  return (
    <SelectField
      label="Chain"
      isLabelHidden
      className={styles['chain']}
      value={chain.chainId}
      onChange={({ target }) => onChoose(Number(target.value))}
    >
      {chains.map(({ chainId }) => (
        <option key={chainId} value={chainId}>
          {nameOfChain(chainId)}
        </option>
      ))}
    </SelectField>
  )
}

type ChainFieldProps = {
  readonly chains: readonly ScenarioChain[]
  readonly chain: ScenarioChain
  readonly onChoose: (chainId: number) => void
}
