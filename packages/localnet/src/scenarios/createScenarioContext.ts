import { setTimeout as wait } from 'node:timers/promises'
import { Errors, type Network, Async } from '@agio/core'
import type { RunningServer } from '@agio/server'
import type { LocalChain } from '../chain/LocalChain.ts'
import { pushPrices } from '../price/keeper.ts'
import type { Localnet } from '../localnet/startLocalnet.ts'
import type { Checkpoint, Scenario, ScenarioContext } from './definition/defineScenario.ts'
import { createChainOperator } from './node/createChainOperator.ts'
import type { FaultProxy } from './node/startFaultProxies.ts'

/** Prepares one chain for scenarios, and collects their undos until the next reset. */
export function createScenarioContext(chain: LocalChain, dependencies: Dependencies): ResettableContext {
  const { keeper, blockIntervalMs, proxy, findServiceUrl, resetCircuits } = dependencies
  const { chainId } = chain
  const operator = createChainOperator(chain, { blockIntervalMs })
  let undos = new AsyncDisposableStack()
  let injected: readonly InjectedScenario[] = []
  let kept: readonly InjectedScenario[] | undefined
  let checkpoint: Checkpoint | undefined

  const context: ScenarioContext = {
    chain,
    operator,
    keeper,
    getProxy() {
      if (proxy) return proxy
      throw Errors.invalidRequest({ field: 'name', reason: 'the service reaches its node without a proxy' })
    },
    resetCircuits: () => resetCircuits?.(chainId),
    replaceSchedule: (oracle, schedule) => dependencies.replaceSchedule?.(chainId, { oracle, schedule }),
    async saveCheckpoint() {
      const snapshot = await operator.client.snapshot()
      checkpoint = { snapshot, blockNumber: await operator.readNewest() }
    },
    findCheckpoint: () => checkpoint,
    onReset: (undo) => undos.defer(undo),
    async waitForServedBlock(blockNumber) {
      // While a fault is injected, the service sees no new block.
      const findReportingUrl = () => (proxy?.isFaulty() ? undefined : findServiceUrl())
      await waitForServedBlock(findReportingUrl, { chainId, blockNumber })
    },
  }
  async function waitUntilServed(): Promise<number> {
    const newest = await operator.readNewest()
    await context.waitForServedBlock(newest)
    return Number(newest)
  }
  return {
    ...context,
    waitUntilServed,
    listActive: () => (kept ?? injected).map(({ scenario, options }) => ({ scenario: scenario.name, options })),
    record(scenario, options) {
      const remaining = injected.filter(({ scenario: { part } }) => part === undefined || part !== scenario.part)
      injected = scenario.isMomentary ? remaining : [...remaining, { scenario, options }]
    },
    forget(name) {
      injected = injected.filter(({ scenario }) => scenario.name !== name)
    },
    async keepList(work) {
      kept = injected
      await work().finally(() => {
        kept = undefined
      })
    },
    async reset() {
      if (!(await operator.client.getAutomine())) await operator.startMining()
      const registered = undos
      undos = new AsyncDisposableStack()
      await registered.disposeAsync()
      injected = []
      context.resetCircuits()
      await pushPrices(chain)
      await context.saveCheckpoint()
      return await waitUntilServed()
    },
  }
}

type Dependencies = Pick<Localnet, 'keeper' | 'blockIntervalMs'> & {
  readonly proxy: FaultProxy | undefined
  /** The URL of the service; undefined while no service runs. */
  readonly findServiceUrl: () => string | undefined
  /** Resets the service's circuit breakers of a chain. */
  readonly resetCircuits: ((chainId: Network.ChainId) => void) | undefined
  /** Replaces the market hours that the service has for a feed. */
  readonly replaceSchedule: RunningServer['replaceSchedule'] | undefined
}

/** The context of the scenarios of one chain. It can undo the scenarios. */
export type ResettableContext = ScenarioContext & {
  /** Waits until the service reports the newest block, and returns its number. */
  waitUntilServed(): Promise<number>
  /** Lists the injected faults, oldest first. */
  listActive(): readonly ActiveScenario[]
  /** Records that a scenario was injected. */
  record(scenario: Scenario, options: ActiveScenario['options']): void
  /** Forgets a scenario whose fault was removed. */
  forget(name: string): void
  /** Does some work during which `listActive` returns the faults from before it. */
  keepList(work: () => Promise<void>): Promise<void>
  /** Removes all faults, last in first out, and returns the number of a block without them. */
  reset(): Promise<number>
}

/** A fault that stays until a reset, or until a scenario that replaces it. */
export type ActiveScenario = {
  readonly scenario: string
  readonly options: Readonly<Record<string, number | string | undefined>>
}

type InjectedScenario = Pick<ActiveScenario, 'options'> & { readonly scenario: Scenario }

const intervalMs = 50
const timeoutMs = 10_000

/**
 * Waits until `/health` of a service reports a block of a chain, or a later block.
 *
 * @param findServiceUrl returns the URL of the service. The wait ends when it returns undefined
 * @throws `svc/upstream-timeout` after ten seconds
 */
async function waitForServedBlock(findServiceUrl: () => string | undefined, { chainId, blockNumber }: Block) {
  let isLate = false
  const cancel = Async.startTimeLimit(timeoutMs, () => (isLate = true))
  try {
    for (let url = findServiceUrl(); url !== undefined; url = findServiceUrl()) {
      if ((await readHead(url, chainId)) >= blockNumber) return
      if (isLate) {
        const reason = `/health does not report block ${blockNumber} after ${timeoutMs / 1000} s`
        throw Errors.upstreamTimeout({ action: `confirm the change of chain ${chainId}`, reason })
      }
      await wait(intervalMs)
    }
  } finally {
    cancel()
  }
}

type Block = { readonly chainId: Network.ChainId; readonly blockNumber: bigint }

type Health = { readonly chains?: readonly { readonly chainId: number; readonly blockNumber?: number }[] }

/** Returns the newest block that the service reports; -1 if it reports no block or does not respond. */
async function readHead(serviceUrl: string, chainId: Network.ChainId): Promise<number> {
  try {
    const { chains } = (await (await fetch(`${serviceUrl}/health`)).json()) as Health
    return chains?.find((chain) => chain.chainId === chainId)?.blockNumber ?? -1
  } catch {
    return -1
  }
}
