import { toFailure } from '../failure/toFailure.ts'
import { createAdmit } from '../admission/createAdmit.ts'
import { createAuthenticate } from '../admission/createAuthenticate.ts'
import { beginVisit, type Visit } from '../visit/Visit.ts'
import { createPages } from './createPages.ts'
import { createRestEdge } from './createRestEdge.ts'
import { createTrpcEdge } from './createTrpcEdge.ts'
import { sendFailure } from './sendFailure.ts'
import type { Settings } from '../Settings.ts'

/**
 * The whole service as one web-standard handler: REST, tRPC, documents and health, with a line in the log for each answer.
 *
 * @example
 * const { fetch } = createApp(settings)
 * const response = await fetch(new Request('http://localhost/health'), '127.0.0.1')
 */
export function createApp(settings: Settings): App {
  const { log, metrics } = settings
  const authenticate = createAuthenticate(settings)
  const admit = createAdmit(settings, authenticate)
  const edges = {
    rest: createRestEdge({ ...settings, admit }),
    trpc: createTrpcEdge({ ...settings, admit }),
  }
  const pages = createPages(settings, { ...edges, ...authenticate })

  async function answer(visit: Visit): Promise<Response> {
    const { request, path } = visit
    try {
      // Only browsers say where they come from, and only they are answered about it.
      const isBrowser = request.method === 'OPTIONS' || request.headers.has('origin')
      if (!isBrowser && path.startsWith('/api/v1/')) return await edges.rest(visit)
      if (!isBrowser && path.startsWith('/trpc/')) return await edges.trpc(visit)
      return await pages.fetch(request, visit)
    } catch (error) {
      visit.cause = error
      return sendFailure(visit, toFailure(error))
    }
  }
  return {
    async fetch(request, address) {
      const visit = beginVisit(request, address, performance.now())
      const response = await answer(visit)
      const { requestId, keyId, operation, path, cause, receivedAtMs } = visit
      const { status } = response
      const ms = Math.round((performance.now() - receivedAtMs) * 1000) / 1000
      metrics.observe({ operation: operation ?? 'other', status, ms })
      const fields = { requestId, keyId, operation, method: request.method, path, status, ms }
      if (status >= 500 && cause !== undefined) log.error({ ...fields, err: cause }, 'failed')
      else log.info(fields, 'answered')
      return response
    },
  }
}

export type App = {
  /**
   * Answers one request.
   *
   * @param address the other end of its connection
   */
  fetch(request: Request, address: string): Promise<Response>
}
