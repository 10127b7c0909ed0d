import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createApp, type Health, type LocalHandler, type RestHandler } from '@agio/api'
import { createChain, type Chain, type NodeReport } from '@agio/chain'
import { chainIds, type ChainId } from '@agio/core'
import {
  createMemoryLimiter,
  createRedisLimiter,
  openStore,
  type Limiter,
  type Store,
  type StoreLog,
} from '@agio/store'
import { createLog } from './createLog.ts'
import { logNode } from './logNode.ts'
import { createMetrics } from './metrics/createMetrics.ts'
import { readDeployments } from './readDeployments.ts'
import type { Settings } from './Settings.ts'

/**
 * Wires the service, whatever runtime serves it.
 *
 * @throws `Error` if a deployment file is missing or wrong, or if the database cannot be opened
 */
export async function createService(
  settings: Settings,
  { fetch, openSocket, callRest, local }: createService.Parts = {},
): Promise<Service> {
  await using starting = new AsyncDisposableStack()
  const log = starting.adopt(createLog(settings.logLevel), ({ end }) => end()).log
  const deployments = await readDeployments(settings.deploymentsDir)
  const store = await openKeys(settings, log)
  starting.defer(() => store.close())
  const limiter = await openLimiter(settings, log)
  starting.defer(() => limiter.close())
  const chains = Object.fromEntries(
    chainIds.map((chainId) => {
      const { rpcUrls, snapshotMaxAgeMs, broadcastWaitMs } = settings
      const onNode = (report: NodeReport) => logNode(log, chainId, report)
      const upstream = { urls: rpcUrls[chainId], fetch, openSocket, onNode }
      const deployment = deployments[chainId]
      return [chainId, createChain({ deployment, ...upstream, snapshotMaxAgeMs, broadcastWaitMs })]
    }),
  ) as Record<ChainId, Chain>
  const stop = () => {
    for (const chain of Object.values(chains)) chain.stop()
  }
  starting.defer(stop)
  const metrics = createMetrics({ chains: Object.values(chains), store, limiter })
  const app = createApp({
    chains,
    store,
    limiter,
    adminKey: settings.adminKey,
    areQuotasEnforced: settings.phase !== 'sandbox',
    trustedProxies: settings.trustedProxies,
    isOriginAllowed: (origin) => isOriginAllowed(settings.corsOrigins, origin),
    readDocsScript,
    metrics,
    callRest,
    local,
    log,
  })
  if (settings.adminKey === undefined) log.warn('no keys can be issued: ADMIN_KEY is not set')
  const running = starting.move()
  return {
    fetch: app.fetch,
    readHealth: app.readHealth,
    async fetchMetrics({ url }) {
      if (new URL(url).pathname !== '/metrics') return new Response('The figures are at /metrics\n', { status: 404 })
      return new Response(await metrics.render(), { headers: { 'content-type': metrics.mediaType } })
    },
    forgetFaults: (chainId) => chains[chainId].resetCircuits(),
    stop,
    close: () => running.disposeAsync(),
  }
}

export declare namespace createService {
  type Parts = {
    /** Carries the calls to the nodes over HTTP; the runtime's own by default. */
    readonly fetch?: typeof globalThis.fetch | undefined
    /** Opens the WebSockets that carry the others; the runtime's own by default. */
    readonly openSocket?: ((url: string) => WebSocket) | undefined
    /** Runs what is called over REST; our own by default. */
    readonly callRest?: RestHandler | undefined
    /** Answers `/local/` to who has the admin key; without it there is nothing at these paths. */
    readonly local?: LocalHandler | undefined
  }
}

export type Service = {
  /**
   * Answers one request.
   *
   * @param address the other end of its connection
   */
  fetch(request: Request, address: string): Promise<Response>
  /** Returns the body of `/health`, from memory. */
  readHealth(): Health
  /** Answers `/metrics` with the figures of Prometheus, whoever asks. */
  fetchMetrics(request: Request): Promise<Response>
  /** Asks every node of a chain again, whatever has befallen it. */
  forgetFaults(chainId: ChainId): void
  /** Ends what runs in the background, so that nothing waits for a block any more. */
  stop(): void
  /** Does that too, writes what was counted, and lets go of the databases. The last thing to do. */
  close(): Promise<void>
}

async function openKeys(settings: Settings, log: StoreLog): Promise<Store> {
  const { databaseUrl, dataDir, knownKeys = [] } = settings
  await using opening = new AsyncDisposableStack()
  const store = await openStore({ location: databaseUrl ? { url: databaseUrl } : { folder: dataDir }, log })
  opening.defer(() => store.close())
  for (const key of knownKeys) {
    const about = { name: key.secret, email: 'local@localhost', useCase: 'local development', expectedVolume: 'any' }
    await store.keys.ensure({ ...about, ...key })
  }
  opening.move()
  return store
}

async function openLimiter({ redisUrl }: Settings, log: StoreLog): Promise<Limiter> {
  return redisUrl ? await createRedisLimiter({ url: redisUrl, log }) : createMemoryLimiter()
}

function isOriginAllowed(allowed: Settings['corsOrigins'], origin: string): boolean {
  if (allowed !== 'localhost') return allowed.includes(origin)
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)
}

async function readDocsScript(): Promise<Uint8Array> {
  const require = createRequire(import.meta.url)
  return await readFile(require.resolve('@scalar/api-reference').replace(/dist[/\\].*$/, 'dist/browser/standalone.js'))
}
