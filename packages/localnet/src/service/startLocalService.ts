import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Network, Errors, toSafeEcho } from '@agio/core'
import { startServer, type LocalControls, type RunningServer, type Settings, type LocalHandler } from '@agio/server'
import { localServiceDefaults, sdkPath } from './localServiceDefaults.ts'
import { createScenarios, type Scenarios } from '../scenarios/createScenarios.ts'
import { startFaultProxies, type FaultProxies, type FaultProxy } from '../scenarios/node/startFaultProxies.ts'
import type { Localnet } from '../localnet/startLocalnet.ts'
import { createSnapshots, type Snapshots } from '../state/createSnapshots.ts'
import { createTime, type StackTime } from '../state/createTime.ts'
import { isScenarioName, listScenarios } from '../scenarios/scenarios.ts'
import type { TravelTime } from '../state/parseTravelTime.ts'

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
  localnet: Localnet<never>,
  { finalityBlocks, ...settings }: startLocalService.Settings = {},
  dependencies: startLocalService.Dependencies = {},
): Promise<LocalService> {
  await using starting = new AsyncDisposableStack()
  const proxies = starting.use(await startFaultProxies<never>(localnet, { finalityBlocks }))
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
  type Dependencies = {
    /** @internal The store of several services, for the tests of this repository. */
    readonly store?: startServer.Dependencies['store']
    /** @internal The time limit of an attempt at a node, for tests whose nodes compute for long. */
    readonly nodeTimeoutMs?: number | undefined
    /** Whether the chains are new, so that the transactions of an earlier start no longer exist. Default: false. */
    readonly hasNewChains?: boolean | undefined
    /** Functions that return the files for `npm install` and for pages, by path. Default: none. */
    readonly downloads?: Readonly<Record<string, () => Promise<Uint8Array>>> | undefined
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

/** A snapshot of the chains and the service. */
export type LocalSnapshot = {
  readonly id: string
  /**
   * Removes all faults, and returns the chains and the service to the snapshot, any number of times. Time does not go
   * back. Newer snapshots are gone afterwards, and open streams end with `reconnect`.
   *
   * @throws `svc/not-found` if the snapshot is gone
   */
  restore(): Promise<void>
}

/** The running local service. Disposing it stops it. */
export type LocalService = AsyncDisposable & {
  readonly url: string
  readonly scenarios: Scenarios
  /** The time of the service and the chains, which moves forward only. */
  readonly time: StackTime
  /**
   * Takes a snapshot of the chains and the service.
   *
   * @throws `svc/invalid-request` while a fault is active, and if other processes share the database or the limits
   */
  snapshot(): Promise<LocalSnapshot>
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

async function serve(
  localnet: Localnet<never>,
  { settings, proxies, store, nodeTimeoutMs, hasNewChains, downloads }: ServeOptions,
) {
  let server: RunningServer | undefined
  const { exclusively, ...scenarios } = createScenarios({
    localnet,
    proxies,
    findServiceUrl: () => server?.url,
    resetCircuits: (chainId) => server?.resetCircuits(chainId),
    replaceSchedule: (chainId, feed) => server?.replaceSchedule(chainId, feed),
  })
  const { deploymentsDir = localnet.deploymentsDir } = settings
  const rpcUrls = Network.map((chainId) => settings.rpcUrls?.[chainId] ?? listUrls(proxies[chainId]))
  // The service calls its handler only once it runs.
  let controls: LocalControls | undefined
  const time = createTime({ getControls: () => controls as LocalControls, exclusively })
  const snapshots = createSnapshots({ getControls: () => controls as LocalControls, exclusively })
  const local = createLocalHandler({ scenarios, time, snapshots })
  const localStack = { ...toLocalStack(localnet, settings), ...(downloads && { sdkPath }) }
  const dependencies = { local, localStack, downloads, store, nodeTimeoutMs, hasNewChains }
  const started = await startServer({ ...settings, deploymentsDir, rpcUrls }, dependencies)
  server = started
  controls = started.local
  return {
    url: started.url,
    readHealth: started.readHealth,
    findRefusal: started.findRefusal,
    scenarios,
    time,
    async snapshot() {
      const id = await snapshots.take()
      return { id, restore: () => snapshots.restore(id) }
    },
    async stop() {
      // A delayed request, or a scenario that waits for the service, would prevent the server from closing.
      server = undefined
      for (const chainId of Network.chainIds) proxies[chainId]?.clear()
      await started.stop()
    },
  }
}

function listUrls(proxy: FaultProxy | undefined): readonly string[] {
  return proxy ? [proxy.url] : []
}

type ServeOptions = startLocalService.Dependencies & {
  readonly settings: ServiceSettings & Pick<Settings, 'dataDir'>
  readonly proxies: FaultProxies<never>
}

/**
 * Returns the settings that the console would otherwise request from the user. Its wallet uses the nodes directly, so
 * faults do not affect it.
 */
function toLocalStack({ chains }: Localnet<never>, { adminKey = '' }: ServiceSettings) {
  const [{ secret: apiKey }, { secret: standardKey }] = localServiceDefaults.presetKeys
  const rpcUrls = Object.fromEntries(Object.values(chains).map(({ chainId, rpcUrl }) => [chainId, rpcUrl]))
  return { apiKey, standardKey, adminKey, rpcUrls }
}

/**
 * Creates the handler of the paths under `/local/`: the scenarios and the funding, `GET /local/time` and `POST /local/time`,
 * `POST /local/snapshots`, `POST /local/snapshots/{id}/restore` and `DELETE /local/snapshots/{id}`.
 */
function createLocalHandler({ scenarios, time, snapshots }: Dependencies): LocalHandler {
  const { run, reset, fund, listChains } = scenarios
  return (path) => {
    if (path === '/local/fund') return { POST: fund }
    if (path === '/local/time') return handleTime(time)
    if (path === '/local/scenarios') return { GET: async () => ({ scenarios: listScenarios(), chains: listChains() }) }
    if (path.startsWith('/local/snapshots')) return handleSnapshots(snapshots, path)
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

type Dependencies = { readonly scenarios: Scenarios; readonly time: StackTime; readonly snapshots: Snapshots }

type Endpoint = ReturnType<LocalHandler>

function handleTime({ now, travel }: StackTime): Endpoint {
  return {
    GET: async () => ({ time: now().toISOString() }),
    async POST({ to, ...others }) {
      assertNoFields(others)
      // `travel` validates the time.
      return { time: (await travel(to as TravelTime)).toISOString() }
    },
  }
}

function handleSnapshots({ take, restore, discard }: Snapshots, path: string): Endpoint {
  const [, id, operation] = /^\/local\/snapshots(?:\/([^/]+)(\/restore)?)?$/.exec(path) ?? [path, undefined, path]
  const withoutFields = (work: () => Promise<unknown>) => async (fields: Readonly<Record<string, unknown>>) => {
    assertNoFields(fields)
    return await work()
  }
  if (id === undefined)
    return operation === undefined ? { POST: withoutFields(async () => ({ id: await take() })) } : undefined
  if (operation === undefined) return { DELETE: withoutFields(async () => (await discard(id), { id })) }
  return { POST: withoutFields(async () => (await restore(id), { id })) }
}

function assertNoFields(fields: Readonly<Record<string, unknown>>): void {
  const [unknown] = Object.entries(fields)
  if (unknown) throw Errors.invalidRequest({ field: unknown[0], value: unknown[1], reason: 'unknown option' })
}
