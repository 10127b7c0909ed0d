import { Network, Errors, toSafeEcho } from '@agio/core'
import { startServer, type RunningServer, type Settings, type LocalHandler } from '@agio/server'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localServiceDefaults, sdkPath } from './localServiceDefaults.ts'
import { createScenarios, type Scenarios } from '../scenarios/createScenarios.ts'
import { startFaultProxies, type FaultProxies } from '../scenarios/node/startFaultProxies.ts'
import type { Localnet } from '../localnet/startLocalnet.ts'
import { isScenarioName, listScenarios } from '../scenarios/scenarios.ts'

/**
 * Starts the service on local chains, with scenarios in code and over HTTP under `/local/scenarios`.
 *
 * @param settings override `localServiceDefaults`
 * @throws the errors of `startServer`
 *
 * @example
 * await using service = await startLocalService(localnet)
 * await service.scenarios.run('stale-price')
 */
export async function startLocalService(
  localnet: Localnet,
  { finalityBlocks, ...settings }: startLocalService.Settings = {},
  dependencies: startLocalService.Dependencies = {},
): Promise<LocalService> {
  await using starting = new AsyncDisposableStack()
  const proxies = starting.use(await startFaultProxies(localnet, { finalityBlocks }))
  const dataDir = settings.dataDir ?? (await createDataDir(starting))
  const all = { ...localServiceDefaults, ...settings, dataDir }
  const { stop, ...service } = await serve(localnet, { settings: all, proxies, ...dependencies })
  starting.defer(stop)
  const running = starting.move()
  const stopAll = () => running.disposeAsync()
  return { ...service, stop: stopAll, [Symbol.asyncDispose]: stopAll }
}

export declare namespace startLocalService {
  type Settings = Partial<ServiceSettings> & startFaultProxies.Options
  type Dependencies = Pick<startServer.Dependencies, 'store'> & {
    /** Returns the tarball of `@agio/sdk`. Without it, the service has no such download. */
    readonly readSdk?: (() => Promise<Uint8Array>) | undefined
  }
}

type ServiceSettings = Omit<Settings, 'dataDir' | 'deploymentsDir' | 'rpcUrls'> & {
  /** The folder of the database. Default: a temporary folder. */
  readonly dataDir?: string | undefined
  /** The folder of deployment files. Default: the folder of the chains. */
  readonly deploymentsDir?: string | undefined
  /** The nodes of a chain. The `rpc-*` scenarios do not affect these nodes. Default: the node of each chain. */
  readonly rpcUrls?: Readonly<Partial<Record<Network.ChainId, readonly string[]>>> | undefined
}

/** The running local service. Disposing it stops it. */
export type LocalService = AsyncDisposable & {
  readonly url: string
  readonly scenarios: Scenarios
  /** Returns the body of `/health`, from memory. */
  readonly readHealth: RunningServer['readHealth']
  /** Returns, from memory, why a chain is refused; undefined if no chain is refused. */
  readonly findRefusal: RunningServer['findRefusal']
  /** Stops the service and the proxies before its nodes. The chains continue. */
  stop(): Promise<void>
}

async function createDataDir(running: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agio-local-service-'))
  running.defer(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function serve(localnet: Localnet, { settings, proxies, store, readSdk }: ServeOptions) {
  let server: RunningServer | undefined
  const scenarios = createScenarios({
    localnet,
    proxies,
    findServiceUrl: () => server?.url,
    resetCircuits: (chainId) => server?.resetCircuits(chainId),
    replaceSchedule: (chainId, feed) => server?.replaceSchedule(chainId, feed),
  })
  const { deploymentsDir = localnet.deploymentsDir } = settings
  const rpcUrls = Network.map((chainId) => settings.rpcUrls?.[chainId] ?? [proxies[chainId].url])
  const local = createLocalHandler(scenarios)
  const localStack = { ...toLocalStack(localnet, settings), ...(readSdk && { sdkPath }) }
  const downloads = readSdk && { [sdkPath]: readSdk }
  const dependencies = { local, localStack, downloads, store }
  const started = await startServer({ ...settings, deploymentsDir, rpcUrls }, dependencies)
  server = started
  return {
    url: started.url,
    readHealth: started.readHealth,
    findRefusal: started.findRefusal,
    scenarios,
    async stop() {
      // A delayed request, or a scenario that waits for the service, would prevent the server from closing.
      server = undefined
      for (const chainId of Network.chainIds) proxies[chainId].clear()
      await started.stop()
    },
  }
}

type ServeOptions = startLocalService.Dependencies & {
  readonly settings: ServiceSettings & Pick<Settings, 'dataDir'>
  readonly proxies: FaultProxies
}

/**
 * Returns the settings that the console would otherwise request from the user. Its wallet uses the nodes directly, so
 * faults do not affect it.
 */
function toLocalStack({ chains }: Localnet, { adminKey = '' }: ServiceSettings) {
  const [{ secret: apiKey }, { secret: standardKey }] = localServiceDefaults.presetKeys
  return { apiKey, standardKey, adminKey, rpcUrls: Network.map((chainId) => chains[chainId].rpcUrl) }
}

/**
 * Handles `GET /local/scenarios`, `POST /local/scenarios/{name}`, `POST /local/scenarios/reset` and `POST /local/fund`.
 */
function createLocalHandler({ run, reset, fund, listChains }: Scenarios): LocalHandler {
  return (path) => {
    if (path === '/local/fund') return { POST: fund }
    if (path === '/local/scenarios') return { GET: async () => ({ scenarios: listScenarios(), chains: listChains() }) }
    const name = /^\/local\/scenarios\/([^/]+)$/.exec(path)?.[1]
    if (name === undefined) return undefined
    // `run` and `reset` validate the fields.
    if (name === 'reset') return { POST: async (fields) => ({ scenario: name, chains: await reset(fields) }) }
    if (isScenarioName(name)) return { POST: (fields) => run(name, fields as never) }
    const names = listScenarios().map((scenario) => scenario.name)
    throw Errors.notFound({
      action: `find scenario '${toSafeEcho(name)}'`,
      reason: `the scenarios are ${names.join(', ')}`,
    })
  }
}
