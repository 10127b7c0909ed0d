import { ServiceError } from '@agio/core'
import { TRPCError } from '@trpc/server'
import { resolveResponse } from '@trpc/server/http'
import type { Context as HonoContext } from 'hono'
import { toFailure } from '../failure/toFailure.ts'
import { appRouter } from '../router.ts'
import { authenticate } from './authenticate.ts'
import type { Env } from './Env.ts'
import { readBody } from './readBody.ts'
import { retryAfterSeconds } from './sendFailure.ts'
import type { Settings } from './Settings.ts'

const endpoint = '/trpc/'
const maxBatchSize = 10

/** Answers `/trpc`: the same procedures for typed clients, with failures of the edge in tRPC's own shape. */
export function createTrpcEdge({
  chains,
  findKey,
  now = Date.now,
}: Settings): (c: HonoContext<Env>) => Promise<Response> {
  return async (c) => {
    const context = { chains, requestId: c.var.requestId, now }
    const path = new URL(c.req.url).pathname.slice(endpoint.length)
    c.set('operation', path)
    const { request, error } = await admit(c, findKey)
    return await resolveResponse({
      router: appRouter,
      req: request,
      path,
      error,
      maxBatchSize,
      createContext: async () => context,
      onError: (failed) => c.set('cause', failed.error),
      responseMeta({ errors }) {
        const first = errors[0]
        if (!first) return {}
        const failure = toFailure(first)
        const retryAfter = retryAfterSeconds(failure.status, failure)
        return retryAfter === undefined ? {} : { headers: new Headers({ 'retry-after': String(retryAfter) }) }
      },
    })
  }
}

/** Checks the key and reads the body, so that what the edge refuses reaches the client as an error of tRPC. */
async function admit(
  c: HonoContext<Env>,
  findKey: Settings['findKey'],
): Promise<{ readonly request: Request; readonly error: TRPCError | null }> {
  const { url, method, headers, signal } = c.req.raw
  try {
    c.set('keyId', authenticate(headers, findKey).id)
    const body = method === 'POST' ? await readBody(c.req.raw) : null
    return { request: new Request(url, { method, headers, body, signal }), error: null }
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    return { request: new Request(url, { headers, signal }), error: new TRPCError({ code: 'BAD_REQUEST', cause }) }
  }
}
