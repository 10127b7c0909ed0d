import { catalogue, ServiceError } from '@agio/core'
import { TRPCError } from '@trpc/server'
import { resolveResponse } from '@trpc/server/http'
import type { Context as HonoContext } from 'hono'
import type { Admit } from '../admission/createAdmit.ts'
import { toFailure } from '../failure/toFailure.ts'
import { appRouter } from '../router.ts'
import { assertJsonMediaType } from './assertJsonMediaType.ts'
import type { Env } from './Env.ts'
import { readBody } from './readBody.ts'
import { retryAfterSeconds } from './sendFailure.ts'
import type { Settings as HttpSettings } from './Settings.ts'
import { unknownOperation } from './unknownOperation.ts'

const endpoint = '/trpc/'
const maxBatchSize = 10
const allow = 'GET, POST'

/** Answers `/trpc`: the same procedures for typed clients, with failures of the edge in tRPC's own shape. */
export function createTrpcEdge({
  chains,
  store,
  now = Date.now,
  admit,
}: createTrpcEdge.Settings): (c: HonoContext<Env>) => Promise<Response> {
  return async (c) => {
    const encodedPath = new URL(c.req.url).pathname.slice(endpoint.length)
    const operations = listOperations(encodedPath)
    c.set('operation', operations.join(','))
    const { request, isAdmin, error } = await enter(c, operations, admit)
    const context = { chains, store, isAdmin, requestId: c.var.requestId, now }
    const response = await resolveResponse({
      router: appRouter,
      req: request,
      path: encodedPath,
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

export declare namespace createTrpcEdge {
  type Settings = Pick<HttpSettings, 'chains' | 'store' | 'now'> & { readonly admit: Admit }
}

/** The operations that a path calls, decoded once as tRPC does it; one more than are taken stands for all that follow. */
function listOperations(encodedPath: string): readonly string[] {
  const names = decode(encodedPath).split(',', maxBatchSize + 1)
  return names.map((name) => (Object.hasOwn(appRouter._def.procedures, name) ? name : unknownOperation))
}

function decode(encodedPath: string): string {
  try {
    return decodeURIComponent(encodedPath)
  } catch {
    return encodedPath
  }
}

type Entered = { readonly request: Request; readonly isAdmin: boolean; readonly error: TRPCError | null }

/** Checks what the edge checks, and reads the body, so that a refusal reaches the client as an error of tRPC. */
async function enter(c: HonoContext<Env>, operations: readonly string[], admit: Admit): Promise<Entered> {
  const { url, method, headers, signal } = c.req.raw
  try {
    assertBatchSize(operations)
    const { isAdmin } = await admit(c, operations)
    assertMethod(method)
    if (method === 'POST') assertJsonMediaType(headers)
    const body = method === 'POST' ? await readBody(c.req.raw) : null
    return { request: new Request(url, { method, headers, body, signal }), isAdmin, error: null }
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    const { code, message, details }: ServiceError = cause
    const { status } = catalogue[code]
    // No context exists yet from which the request id could be taken.
    const carried: object = { ...details, requestId: c.var.requestId }
    const refusal = new ServiceError(code, message, { ...carried, cause: cause.cause })
    const error = new TRPCError({ code: codesByStatus[status] ?? 'BAD_REQUEST', cause: refusal })
    return { request: new Request(url, { headers, signal }), isAdmin: false, error }
  }
}

const codesByStatus: Readonly<Record<number, TRPCError['code']>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
}

function assertMethod(method: string): void {
  if (method === 'GET' || method === 'POST') return
  throw new ServiceError('svc/method-not-allowed', `Cannot call a procedure by ${method}: it takes ${allow}`, {})
}

function assertBatchSize({ length }: readonly string[]): void {
  if (length <= maxBatchSize) return
  const message = `Cannot answer so many calls in one batch: at most ${maxBatchSize} are taken`
  throw new ServiceError('svc/invalid-request', message, { field: 'batch', value: undefined })
}
