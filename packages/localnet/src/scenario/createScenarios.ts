import { chainIds, defaultChainId, mapChains, type ChainId, type ErrorCode } from '@agio/core'
import type { Localnet } from '../startLocalnet.ts'
import { catalogue, type ScenarioName } from './catalogue.ts'
import { assertMining } from './chain/assertMining.ts'
import { toNodeError } from './chain/toNodeError.ts'
import { createStage } from './createStage.ts'
import { createTurns } from './createTurns.ts'
import { parseChainId } from './options/parseChainId.ts'
import { parseOptions } from './options/parseOptions.ts'
import type { OptionsOf } from './options/OptionSpec.ts'
import type { FaultProxies } from './rpc/startFaultProxies.ts'
import type { Scenario } from './Scenario.ts'

/**
 * Puts faults in place on local chains and before them, and takes them away; one after the other, whoever asks.
 *
 * A call returns once the service has seen the block that holds the fault. Faults between service and node are met by the
 * very next question to the node, so that these calls return at once, and while one is in place no call waits for what the
 * service sees of that chain.
 *
 * @example
 * const scenarios = createScenarios({ localnet, proxies, getServiceUrl: () => server.url })
 * await scenarios.run('price-move', { symbol: 'tAUD', percent: -5 })
 * await scenarios.reset()
 */
export function createScenarios({
  localnet,
  proxies,
  getServiceUrl = () => undefined,
  forgetFaults,
}: createScenarios.Parts): Scenarios {
  const takeTurn = createTurns()
  const inTurn = <Result>(work: () => Promise<Result>) => takeTurn(() => work().catch(rethrowNodeError))
  const stages = mapChains((chainId) => {
    const settings = { ...localnet, proxy: proxies?.[chainId], getServiceUrl, forgetFaults }
    return createStage(localnet.chains[chainId], settings)
  })

  return {
    run: (name, ...[{ chainId: given, ...fields } = {}]) =>
      inTurn(async () => {
        const chainId = parseChainId(given)
        const stage = stages[chainId]
        const scenario: Scenario = catalogue[name]
        const options = parseOptions(fields, { specs: scenario.options, chain: stage.chain })
        if (scenario.needsMining) await assertMining(stage)
        await scenario.put(stage, options)
        return { scenario: name, chainId, blockNumber: Number(await stage.settle()), codes: scenario.codes }
      }),
    reset: ({ chainId: given, ...fields } = {}) =>
      inTurn(async () => {
        const chosen = given === undefined ? chainIds : [parseChainId(given)]
        parseOptions(fields, { specs: {}, chain: stages[defaultChainId].chain })
        const resets = chosen.map(async (chainId) => ({ chainId, blockNumber: Number(await stages[chainId].reset()) }))
        // Whoever comes next finds all of them done, should one fail.
        await Promise.allSettled(resets)
        return await Promise.all(resets)
      }),
  }
}

export declare namespace createScenarios {
  type Parts = {
    readonly localnet: Pick<Localnet, 'chains' | 'keeper' | 'blockIntervalMs'>
    /** What the service has in place of its nodes; without it there are no `rpc-*` scenarios. */
    readonly proxies?: FaultProxies | undefined
    /** Where the service answers, once it does. Without it, calls return when the chain has the fault. */
    readonly getServiceUrl?: (() => string | undefined) | undefined
    /** Lets the service ask the nodes of a chain at once, whatever it knows of them. Without it, it finds out by itself. */
    readonly forgetFaults?: ((chainId: ChainId) => void) | undefined
  }
}

export type Scenarios = {
  /**
   * Puts a fault in place until the next reset, beside those that are there already.
   *
   * @throws `svc/invalid-request`, `svc/unsupported-chain`; `svc/upstream-timeout` if the service does not see it, and
   * `svc/upstream-*` if the chain's own node fails
   */
  run<Name extends ScenarioName>(name: Name, ...options: RunOptions<Name>): Promise<ScenarioResult>
  /**
   * Takes the faults away, on all chains unless one is named, and pushes the prices. What users have sent stays.
   *
   * @throws `svc/unsupported-chain`; `svc/upstream-timeout` if the service does not see it, and `svc/upstream-*` if a
   * chain's own node fails
   */
  reset(options?: Chosen): Promise<readonly Seen[]>
}

type RunOptions<Name extends ScenarioName> =
  object extends OptionsFor<Name> ? [options?: Chosen & OptionsFor<Name>] : [options: Chosen & OptionsFor<Name>]

type OptionsFor<Name extends ScenarioName> = OptionsOf<(typeof catalogue)[Name]['options']>

type Chosen = { readonly chainId?: ChainId | undefined }

/** From which block on the service sees a chain as it is now. */
type Seen = { readonly chainId: ChainId; readonly blockNumber: number }

export type ScenarioResult = Seen & {
  readonly scenario: ScenarioName
  /** What callers of the service now see. */
  readonly codes: readonly ErrorCode[]
}

function rethrowNodeError(error: unknown): never {
  throw toNodeError(error)
}
