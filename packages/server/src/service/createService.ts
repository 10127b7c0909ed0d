import { setTimeout as wait } from 'node:timers/promises'
import {
  createApp,
  type ClientConnection,
  type ConsoleLocalStack,
  type Health,
  type HttpReply,
  type HttpRequest,
  type LocalHandler,
  type Metrics,
  type RestHandler,
  type UnreadRequest,
} from '@agio/api'
import type { Address, Network, ServiceError } from '@agio/core'
import { openLimiter, openStore, type Store, type StoreLog } from '@agio/store'
import { createChains } from './createChains.ts'
import { createDocsReader, docsDir } from './createDocsReader.ts'
import { createConsoleReader, readOpenApi } from './servedFiles.ts'
import { createLog, type ServiceLog } from '../log/createLog.ts'
import { createMetrics, type ServiceMetrics } from '../metrics/createMetrics.ts'
import type { Output } from '../log/Output.ts'
import { readDeployments } from './readDeployments.ts'
import type { Settings } from '../settings/Settings.ts'
import type { ResolveHost } from '../webhooks/resolveTarget.ts'
import { startWebhooks } from '../webhooks/startWebhooks.ts'

/**
 * Creates the service from its settings, for any runtime.
 *
 * @throws `Error` if no network has a deployment file, if a file is wrong, or if the database cannot be opened
 */
export async function createService(
  settings: Settings,
  {
    output,
    fetch,
    openSocket,
    callRest,
    local,
    localStack,
    downloads,
    shareMetrics,
    resolveHost,
    ...provided
  }: createService.Dependencies,
): Promise<Service> {
  await using starting = new AsyncDisposableStack()
  const { log, print, countDropped } = starting.adopt(createLog(settings.logLevel, output), ({ end }) => end())
  const deployments = await readDeployments(settings.deploymentsDir)
  const store = provided.store ?? starting.adopt(await openStoreWithKeys(settings, log), (opened) => opened.close())
  const { redisUrl, consoleDir } = settings
  const limiter = await openLimiter({ redisUrl, log, countProcesses: store.countReplicas })
  starting.defer(() => limiter.close())
  const chains = createChains(deployments, settings, { log, fetch, openSocket })
  const stop = () => {
    for (const chain of Object.values(chains)) chain.stop()
  }
  starting.defer(stop)
  const drain = createDrain(settings.drainMs, log)
  const measured = { chains: Object.values(chains), store, limiter, countDroppedLines: countDropped }
  const metrics = createMetrics({ ...measured, shareMetrics })
  const app = createApp({
    chains,
    store,
    limiter,
    ...toAppSettings(settings),
    readOpenApi,
    docs: createDocsReader(docsDir),
    isDraining: drain.isActive,
    metrics,
    callRest,
    local,
    downloads,
    console: consoleDir === undefined ? undefined : { readFile: createConsoleReader(consoleDir), local: localStack },
    log,
  })
  if (settings.adminKey === undefined) log.warn('admin operations are disabled: ADMIN_KEY is not set')
  const webhookDependencies = {
    chains: Object.values(chains),
    webhooks: store.webhooks,
    settings: toWebhookSettings(settings),
    chargeLook: app.chargeLook,
  }
  const webhooks = startWebhooks({ ...webhookDependencies, log, observeDelivery: metrics.observeDelivery, resolveHost })
  starting.defer(() => webhooks.stop())
  const running = starting.move()
  return {
    chainIds: Object.values(chains).map(({ chainId }) => chainId),
    fetch: app.fetch,
    answer: app.answer,
    refuse: app.refuse,
    readHealth: app.getHealth,
    findRefusal: () => Object.values(chains).flatMap((chain) => chain.findRefusal() ?? [])[0],
    print,
    fetchMetrics: (request) => respondWithMetrics(metrics, request),
    observeClosedConnection: metrics.observeClosedConnection,
    resetCircuits: (chainId) => chains[chainId]?.nodes.resetCircuits(),
    replaceSchedule: (chainId, feed) => chains[chainId]?.pools.replaceSchedule(feed.oracle, feed.schedule),
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
    /** Runs the procedures that are called over REST; the API's own handler by default. */
    readonly callRest?: RestHandler | undefined
    /** Handles requests under `/local/` with the admin key. Without this handler, these paths are 404. */
    readonly local?: LocalHandler | undefined
    /** Functions that return the files of a local stack, by path. They are served without a key. */
    readonly downloads?: Readonly<Record<string, () => Promise<Uint8Array>>> | undefined
    /**
     * Shares the metrics with other processes, and returns a function that renders the metrics of all processes.
     * Default: only the metrics of this process.
     */
    readonly shareMetrics?: createMetrics.Dependencies['shareMetrics']
    /** The public keys and the nodes of a local stack, which its console shows to every visitor. */
    readonly localStack?: ConsoleLocalStack | undefined
    /**
     * Store of keys, usage and webhooks. The caller closes it. Default: the service opens the database of its settings.
     */
    readonly store?: Store | undefined
    /** Resolves the host names of webhook receivers. Default: by DNS, and by the system on a local service. */
    readonly resolveHost?: ResolveHost | undefined
  }
}

/** The service without a server. */
export type Service = {
  /** The ids of the served chains. */
  readonly chainIds: readonly Network.ChainId[]
  /**
   * Handles one request.
   *
   * @param address the IP address of the peer
   * @param connection is updated, if the server limits its connections
   */
  fetch(request: Request, address: string, connection?: ClientConnection): Promise<Response>
  /** Returns the reply to an API call, like `fetch`, for a server that does not create a `Request`. */
  answer(request: HttpRequest, address: string, connection?: ClientConnection): Promise<HttpReply>
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
  /** Counts a connection that the server closes because of a limit. */
  readonly observeClosedConnection: ServiceMetrics['observeClosedConnection']
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
  /** Turns readiness off, and serves requests for the drain time. Each response closes its connection. */
  drain(): Promise<void>
  /** Stops the background work on all chains, and ends every wait for a block. */
  stop(): void
  /** Stops, flushes the usage and closes the databases. No request may follow. */
  close(): Promise<void>
}

async function openStoreWithKeys(settings: Settings, log: StoreLog): Promise<Store> {
  const { databaseUrl, dataDir, presetKeys = [] } = settings
  await using opening = new AsyncDisposableStack()
  const store = await openStore({ location: databaseUrl ? { url: databaseUrl } : { folder: dataDir }, log })
  opening.defer(() => store.close())
  for (const key of presetKeys) {
    const metadata = { name: key.secret, email: 'local@localhost', useCase: 'local development', expectedVolume: 'any' }
    await store.keys.ensure({ ...metadata, ...key })
  }
  opening.move()
  return store
}

type Drain = { readonly isActive: () => boolean; readonly run: () => Promise<void> }

function createDrain(drainMs: number, log: Pick<ServiceLog['log'], 'info'>): Drain {
  let isActive = false
  return {
    isActive: () => isActive,
    async run() {
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

function toAppSettings({ adminKey, phase, corsOrigins, ...settings }: Settings) {
  const { trustedProxies, maxRequestsPerAddress, clientTimeoutMs } = settings
  return {
    adminKey,
    areQuotasEnforced: phase !== 'sandbox',
    trustedProxies,
    maxRequestsPerAddress,
    maxStreams: settings.maxStreams ?? Math.ceil(settings.maxConnections / 2),
    clientTimeoutMs,
    webhookTargets: settings.webhookTargets,
    isOriginAllowed: (origin: string) => isOriginAllowed(corsOrigins, origin),
  }
}

function toWebhookSettings({ webhookTargets, webhookRetrySeconds, webhookTimeoutMs }: Settings) {
  return {
    targets: webhookTargets,
    retryMs: webhookRetrySeconds.map((delay) => delay * 1000),
    timeoutMs: webhookTimeoutMs,
  }
}

function isOriginAllowed(allowed: Settings['corsOrigins'], origin: string): boolean {
  if (allowed !== 'localhost') return allowed.includes(origin)
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)
}
