import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createApp } from '@agio/api'
import { createChain, type Chain } from '@agio/chain'
import { chainIds, type ChainId } from '@agio/core'
import { pino } from 'pino'
import { createKeyring } from './createKeyring.ts'
import { describeError } from './describeError.ts'
import { readDeployments } from './readDeployments.ts'
import type { Settings } from './Settings.ts'

/**
 * Wires the service, whatever runtime serves it.
 *
 * @param fetch carries the calls to the nodes; the runtime's own by default
 * @throws `Error` if a deployment file is missing or wrong
 */
export async function createService(settings: Settings, fetch?: typeof globalThis.fetch): Promise<Service> {
  const log = pino({ level: settings.logLevel, base: null, serializers: { err: describeError } })
  const deployments = await readDeployments(settings.deploymentsDir)
  const chains = Object.fromEntries(
    chainIds.map((chainId) => {
      const { snapshotMaxAgeMs, broadcastWaitMs } = settings
      const urls = settings.rpcUrls[chainId]
      return [
        chainId,
        createChain({ deployment: deployments[chainId], urls, fetch, snapshotMaxAgeMs, broadcastWaitMs }),
      ]
    }),
  ) as Record<ChainId, Chain>
  const app = createApp({
    chains,
    findKey: createKeyring(settings.apiKeys),
    isOriginAllowed: (origin) => isOriginAllowed(settings.corsOrigins, origin),
    readDocsScript,
    log,
  })
  return {
    fetch: async (request) => await app.fetch(request),
    stop() {
      for (const chain of Object.values(chains)) chain.stop()
    },
  }
}

export type Service = {
  /** Answers one request. */
  fetch(request: Request): Promise<Response>
  /** Ends what runs in the background. */
  stop(): void
}

function isOriginAllowed(allowed: Settings['corsOrigins'], origin: string): boolean {
  if (allowed !== 'localhost') return allowed.includes(origin)
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)
}

async function readDocsScript(): Promise<Uint8Array> {
  const require = createRequire(import.meta.url)
  return await readFile(require.resolve('@scalar/api-reference').replace(/dist[/\\].*$/, 'dist/browser/standalone.js'))
}
