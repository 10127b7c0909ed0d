import { chainIds, mapChains } from '@agio/core'
import { startServer, type RunningServer, type Settings } from '@agio/server'
import { createScenarioHandler } from './scenario/createScenarioHandler.ts'
import { createScenarios, type Scenarios } from './scenario/createScenarios.ts'
import { startFaultProxies } from './scenario/node/startFaultProxies.ts'
import type { Localnet } from './startLocalnet.ts'

/**
 * Serves local chains, with scenarios: in code, and over HTTP under `/local/scenarios`.
 *
 * @throws what `startServer` throws
 *
 * @example
 * await using service = await startLocalService(localnet, settings)
 * await service.scenarios.run('stale-price')
 */
export async function startLocalService(
  localnet: Localnet,
  settings: startLocalService.Settings,
): Promise<LocalService> {
  await using starting = new AsyncDisposableStack()
  const proxies = starting.use(await startFaultProxies(localnet))
  let server: RunningServer | undefined
  const scenarios = createScenarios({
    localnet,
    proxies,
    getServiceUrl: () => server?.url,
    resetCircuit: (chainId) => server?.forgetFaults(chainId),
  })
  const { deploymentsDir } = localnet
  const rpcUrls = mapChains((chainId) => [proxies[chainId].url])
  const started = await startServer(
    { ...settings, deploymentsDir, rpcUrls },
    { local: createScenarioHandler(scenarios) },
  )
  server = started
  starting.defer(() => started.stop())
  // What a fault holds back would keep the server from closing, as would a scenario that waits for what it sees.
  starting.defer(() => {
    server = undefined
    for (const chainId of chainIds) proxies[chainId].clear()
  })
  const running = starting.move()
  const stop = () => running.disposeAsync()
  return { url: started.url, scenarios, stop, [Symbol.asyncDispose]: stop }
}

export declare namespace startLocalService {
  type Settings = Omit<ServerSettings, 'deploymentsDir' | 'rpcUrls'>
}

type ServerSettings = Settings

export type LocalService = AsyncDisposable & {
  readonly url: string
  readonly scenarios: Scenarios
  /** Ends the service, and what stands between it and its nodes. The chains go on. */
  stop(): Promise<void>
}
