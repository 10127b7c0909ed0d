import { catalogue, ServiceError } from '@agio/core'
import { TRPCError } from '@trpc/server'
import { resolveResponse } from '@trpc/server/http'
import type { Context as HonoContext } from 'hono'
import { toFailure } from '../failure/toFailure.ts'
import { appRouter } from '../router.ts'
import { assertJsonMediaType } from './assertJsonMediaType.ts'
import { authenticate } from './authenticate.ts'
import type { Env } from './Env.ts'
import { readBody } from './readBody.ts'
import { retryAfterSeconds } from './sendFailure.ts'
import type { Settings } from './Settings.ts'

const endpoint = '/trpc/'
const maxBatchSize = 10
const allow = 'GET, POST'

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
    const { request, error } = await admit(c, path, findKey)
    const response = await resolveResponse({
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
    if (response.status === 405) response.headers.set('allow', allow)
    return response
  }
}

/** Checks what the edge checks, and reads the body, so that a refusal reaches the client as an error of tRPC. */
async function admit(
  c: HonoContext<Env>,
  path: string,
  findKey: Settings['findKey'],
): Promise<{ readonly request: Request; readonly error: TRPCError | null }> {
  const { url, method, headers, signal } = c.req.raw
  try {
    c.set('keyId', authenticate(headers, findKey).id)
    assertMethod(method)
    assertBatchSize(path)
    if (method === 'POST') assertJsonMediaType(headers)
    const body = method === 'POST' ? await readBody(c.req.raw) : null
    return { request: new Request(url, { method, headers, body, signal }), error: null }
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    const { code, message, details }: ServiceError = cause
    const { status } = catalogue[code]
    // No context exists yet from which the request id could be taken.
    const carried: object = { ...details, requestId: c.var.requestId }
    const refusal = new ServiceError(code, message, carried)
    const error = new TRPCError({ code: codesByStatus[status] ?? 'BAD_REQUEST', cause: refusal })
    return { request: new Request(url, { headers, signal }), error }
  }
}

const codesByStatus: Readonly<Record<number, TRPCError['code']>> = {
  401: 'UNAUTHORIZED',
  405: 'METHOD_NOT_SUPPORTED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

function assertMethod(method: string): void {
  if (method === 'GET' || method === 'POST') return
  throw new ServiceError('svc/method-not-allowed', `Cannot call a procedure by ${method}: it takes ${allow}`, {})
}

function assertBatchSize(path: string): void {
  const size = path.split(/,|%2C/i).length
  if (size <= maxBatchSize) return
  const message = `Cannot answer ${size} calls in one batch: at most ${maxBatchSize} are taken`
  throw new ServiceError('svc/invalid-request', message, { field: 'batch', value: size })
}
