import { setTimeout as wait } from 'node:timers/promises'
import {
  createApp,
  type App,
  type AppHandlers,
  type ConsoleLocalStack,
  type Health,
  type LocalHandler,
  type Metrics,
  type UnreadRequest,
} from '@agio/api'
import { Clock, type Address, type Network, type ServiceError } from '@agio/core'
import { openLimiter, type Store } from '@agio/store'
import { Registry } from 'prom-client'
import { assets } from '../assets/assets.ts'
import { createChains, type Chains } from './createChains.ts'
import { createLocalControls, type LocalControls } from './createLocalControls.ts'
import { createDocsReader } from './createDocsReader.ts'
import { createConsoleReader, readOpenApi } from './servedFiles.ts'
import { createLog, type ServiceLog } from '../log/createLog.ts'
import { createMetrics, type ServiceMetrics } from '../metrics/createMetrics.ts'
import { createTimings, type Timings } from '../metrics/createTimings.ts'
import type { Output } from '../log/Output.ts'
import { readDeployments } from './readDeployments.ts'
import { toOperators } from '../settings/parseServiceSettings.ts'
import { openServiceStore } from './openServiceStore.ts'
import { startRetention } from './startRetention.ts'
import { defaultDeliveryDays } from '../settings/webhookSettings.ts'
import type { Settings } from '../settings/Settings.ts'
import { openTracer } from '../tracing/openTracer.ts'
import type { Tracer } from '../tracing/Tracer.ts'
import { traceTimings } from '../metrics/traceTimings.ts'
import type { ResolveHost } from '../webhooks/resolveTarget.ts'
import { startWebhooks } from '../webhooks/startWebhooks.ts'

/**
 * Creates the service from its settings, for any runtime.
 *
 * @throws `Error` if no network has a deployment file, if a file is wrong, or if the database cannot be opened
 */
export async function createService(
  settings: Settings,
  { output, fetch, local, localStack, downloads, resolveHost, ...provided }: createService.Dependencies,
): Promise<Service> {
  await using starting = new AsyncDisposableStack()
  const { log, print, countDropped } = starting.adopt(createLog(settings.logLevel, output), ({ end }) => end())
  const clock = Clock.createMovable()
  const registry = new Registry()
  const tracer = await openTracer(settings, log)
  starting.defer(() => tracer?.stop())
  const { observeQuery, observeCommand, observeNodeRequest: observeRequest } = openTimings(registry, tracer)
  const deployments = await readDeployments(settings.deploymentsDir)
  const storage = { ...provided, print, log, observe: observeQuery, ...clock }
  const store = provided.store ?? starting.adopt(await openServiceStore(settings, storage), ({ close }) => close())
  const { redisUrl, consoleDir } = settings
  const { openSocket, nodeTimeoutMs } = provided
  const counting = { countProcesses: store.countReplicas, observe: observeCommand, ...clock }
  const limiter = await openLimiter({ redisUrl, log, ...counting })
  starting.defer(() => limiter.close())
  const upstream = { fetch, openSocket, nodeTimeoutMs, observeRequest }
  const chains = createChains(deployments, settings, { log, ...upstream, now: clock.now })
  const stop = () => {
    for (const chain of Object.values(chains)) chain.stop()
  }
  starting.defer(stop)
  const drain = createDrain(settings.drainMs, log)
  const measured = { chains: Object.values(chains), store, limiter, tracer, countDroppedLines: countDropped }
  const metrics = createMetrics(measured, registry)
  const app = createApp({
    chains,
    store,
    limiter,
    ...toAppSettings(settings),
    readOpenApi,
    docs: createDocsReader(assets.docs),
    isDraining: drain.isActive,
    metrics,
    tracing: tracer,
    local,
    downloads,
    console: consoleDir === undefined ? undefined : { readFile: createConsoleReader(consoleDir), local: localStack },
    log,
    ...clock,
  })
  warnOfSettings(settings, { log, isLocal: localStack !== undefined })
  const webhooks = startWebhooks({
    chains: Object.values(chains),
    webhooks: store.webhooks,
    settings: toWebhookSettings(settings),
    chargePoll: app.chargePoll,
    observeDelivery: metrics.observeDelivery,
    tracer,
    resolveHost,
    clock,
    log,
  })
  starting.defer(() => webhooks.stop())
  starting.defer(startRetention(store, { ...settings, log }))
  const owned = { store, isStoreProvided: provided.store !== undefined, settings, limiter }
  const running = starting.move()
  return {
    ...toOperations({ app, chains, metrics }),
    print,
    local: createLocalControls({ ...owned, chains, clock, webhooks, endStreams: () => app.endStreams('restored') }),
    async drain() {
      // Clients of streams reconnect elsewhere while this process continues to serve requests.
      app.endStreams()
      await drain.run()
    },
    stop() {
      stop()
      app.stopStreams()
    },
    close: () => running.disposeAsync(),
  }
}

export declare namespace createService {
  type Dependencies = {
    /** The output of the log. */
    readonly output: Output
    /** Sends the requests to the nodes over HTTP; the runtime's own `fetch` by default. */
    readonly fetch?: typeof globalThis.fetch | undefined
    /** Opens the WebSockets to the nodes; the runtime's own `WebSocket` by default. */
    readonly openSocket?: ((url: string) => WebSocket) | undefined
    /** The time limit of an attempt at a node; 4,000 or less by default. */
    readonly nodeTimeoutMs?: number | undefined
    /** Handles requests under `/local/` with the admin key. Without this handler, these paths are 404. */
    readonly local?: LocalHandler | undefined
    /** Functions that return the files of a local stack, by path. They are served without a key. */
    readonly downloads?: Readonly<Record<string, () => Promise<Uint8Array>>> | undefined
    /** The public keys and the nodes of a local stack, which its console shows to every visitor. */
    readonly localStack?: ConsoleLocalStack | undefined
    /**
     * Store of keys, usage and webhooks. The caller closes it. Default: the service opens the database of its settings.
     */
    readonly store?: Store | undefined
    /** Resolves the host names of webhook receivers. Default: by DNS, and by the system on a local service. */
    readonly resolveHost?: ResolveHost | undefined
    /** Whether the chains of a local stack are new, so that the transactions of earlier chains are forgotten. Default: false. */
    readonly hasNewChains?: boolean | undefined
    /** Called once if the start waits for the database. If it fails, the start fails. */
    readonly onWait?: (() => Promise<void>) | undefined
  }
}

/** The service without a server. */
export type Service = AppHandlers & {
  /** The ids of the served chains. */
  readonly chainIds: readonly Network.ChainId[]
  /** The functions for the port of operators, which serves everything. */
  readonly operators: AppHandlers
  /** Returns the response to a request that could not be read, and records the request like any other. */
  refuse(error: ServiceError, request: UnreadRequest): Promise<Response>
  /** Returns the body of `/health`, from memory. */
  readHealth(): Health
  /** Returns, from memory, why a chain is refused; undefined if no chain is refused. */
  findRefusal(): string | undefined
  /** Writes a line to the output of the log, unchanged. */
  print(line: string): void
  /** Handles requests for `/metrics`, without authentication. */
  fetchMetrics(request: Request): Promise<Response>
  /** Counts the open connections of the server, and the connections that it closes because of a limit. */
  readonly connections: ServiceMetrics['connections']
  /** Closes the circuits of all nodes of a chain, so that the next request uses them again. */
  resetCircuits(chainId: Network.ChainId): void
  /**
   * Replaces the market hours of a feed from the next block on. An undefined schedule restores the hours of the
   * deployment.
   */
  replaceSchedule(
    chainId: Network.ChainId,
    feed: { readonly oracle: Address; readonly schedule: string | undefined },
  ): void
  /** Moves the time of the service and takes snapshots of it, for a local stack. */
  readonly local: LocalControls
  /** Turns readiness off, and serves requests for the drain time. Each response closes its connection. */
  drain(): Promise<void>
  /** Stops the background work on all chains, and ends every wait for a block. */
  stop(): void
  /** Stops, flushes the usage and closes the databases. No request may follow. */
  close(): Promise<void>
}

type Operations = Omit<Service, 'print' | 'local' | 'drain' | 'stop' | 'close'>

/** Returns the operations of the service on its parts, which all exist until it closes. */
function toOperations({ app, chains, metrics }: Parts): Operations {
  return {
    chainIds: Object.values(chains).map(({ chainId }) => chainId),
    fetch: app.fetch,
    answer: app.answer,
    operators: app.operators,
    refuse: app.refuse,
    readHealth: app.getHealth,
    findRefusal: () => Object.values(chains).flatMap((chain) => chain.findRefusal() ?? [])[0],
    fetchMetrics: (request) => respondWithMetrics(metrics, request),
    connections: metrics.connections,
    resetCircuits: (chainId) => chains[chainId]?.nodes.resetCircuits(),
    replaceSchedule: (chainId, feed) => chains[chainId]?.pools.replaceSchedule(feed.oracle, feed.schedule),
  }
}

type Parts = { readonly app: App; readonly chains: Chains; readonly metrics: ServiceMetrics }

function openTimings(registry: Registry, tracer: Tracer | undefined): Timings {
  const timings = createTimings(registry)
  return tracer ? traceTimings(timings, tracer) : timings
}

/** Warns once of settings that a service for others should have. */
function warnOfSettings(
  settings: Settings,
  { log, isLocal }: { readonly log: ServiceLog['log']; readonly isLocal: boolean },
): void {
  if (toOperators(settings).length === 0) log.warn('admin operations are disabled: set ADMIN_KEY or ADMIN_KEYS')
  if (settings.masterKeys === undefined && !isLocal)
    log.warn('secrets of quotes and webhooks are stored in plain text: MASTER_KEY_FILE is not set')
}

function createDrain(drainMs: number, log: Pick<ServiceLog['log'], 'info'>) {
  let isActive = false
  return {
    isActive: () => isActive,
    async run(): Promise<void> {
      isActive = true
      if (drainMs === 0) return
      log.info({ drainMs }, 'draining: /health/ready is 503, and each response closes its connection')
      await wait(drainMs)
    },
  }
}

async function respondWithMetrics({ render, mediaType }: Metrics, { url }: Request): Promise<Response> {
  if (new URL(url).pathname !== '/metrics') return new Response('The metrics are at /metrics\n', { status: 404 })
  return new Response(await render(), { headers: { 'content-type': mediaType } })
}

function toAppSettings({ phase, corsOrigins, ...settings }: Settings) {
  const { trustedProxies, maxRequestsPerAddress, clientTimeoutMs } = settings
  return {
    operators: toOperators(settings),
    areOperatorsSeparate: settings.adminPort !== undefined,
    areQuotasEnforced: phase !== 'sandbox',
    trustedProxies,
    maxRequestsPerAddress,
    maxStreams: settings.maxStreams ?? Math.ceil(settings.maxConnections / 2),
    clientTimeoutMs,
    publicUrl: settings.publicUrl,
    webhookTargets: settings.webhookTargets,
    auditDays: settings.auditDays,
    logAddress: settings.logAddress,
    mcp: settings.mcp,
    isOriginAllowed: (origin: string) => isOriginAllowed(corsOrigins, origin),
  }
}

function toWebhookSettings({ webhookTargets, webhookRetrySeconds, webhookTimeoutMs, deliveryDays }: Settings) {
  return {
    targets: webhookTargets,
    retryMs: webhookRetrySeconds.map((delay) => delay * 1000),
    timeoutMs: webhookTimeoutMs,
    // Without webhooks, this process does not know for how long the processes that deliver keep deliveries.
    deliveryDays: deliveryDays ?? (webhookTargets === 'off' ? undefined : defaultDeliveryDays),
  }
}

function isOriginAllowed(allowed: Settings['corsOrigins'], origin: string): boolean {
  if (allowed !== 'localhost') return allowed.includes(origin)
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)
}
