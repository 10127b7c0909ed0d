import { errorCatalogue, ServiceError } from '@agio/core'
import { TRPCError } from '@trpc/server'
import { resolveResponse } from '@trpc/server/http'
import type { Admit } from '../admission/createAdmit.ts'
import { toFailure } from '../failure/toFailure.ts'
import { toServiceError } from '../failure/toServiceError.ts'
import { appRouter } from '../router.ts'
import { assertJsonMediaType } from './assertJsonMediaType.ts'
import { readBody } from './readBody.ts'
import { respond } from './respond.ts'
import { retryAfter } from './sendFailure.ts'
import type { Settings as HttpSettings } from '../Settings.ts'
import { decodePath } from '../visit/decodePath.ts'
import { unknownOperation } from '../visit/unknownOperation.ts'
import type { Visit } from '../visit/Visit.ts'

const endpoint = '/trpc/'
// A target may name a host, and even a password, with which no request can be made.
const origin = 'http://service'
const maxBatchSize = 10
const allow = 'GET, POST'
const streamHeaders = { vary: 'Origin, trpc-accept' }

/** Answers `/trpc`: the same procedures for typed clients, with failures of the edge in tRPC's own shape. */
export function createTrpcEdge({
  chains,
  store,
  now = Date.now,
  admit,
}: createTrpcEdge.Settings): (visit: Visit) => Promise<Response> {
  return async (visit) => {
    const encodedPath = visit.path.slice(endpoint.length)
    const operations = listOperations(encodedPath)
    visit.operation = operations.join(',')
    const { request, isAdmin, error } = await enter(visit, operations, admit)
    const context = { chains, store, isAdmin, requestId: visit.requestId, now }
    let headers: Readonly<Record<string, string>> = {}
    let isReached = false
    const resolve = (req: Request, path: string) =>
      resolveResponse({
        router: appRouter,
        req,
        path,
        error,
        maxBatchSize: operations.length,
        createContext: async () => {
          isReached = true
          return context
        },
        onError: (failed) => (visit.cause = failed.error),
        responseMeta({ errors }) {
          const failure = errors[0] && toFailure(errors[0])
          if (failure) headers = retryAfter(failure.status, failure)
          return {}
        },
      })
    // A refusal comes once for each call, and for no more of them than are looked at.
    let answer = await resolve(request, error ? encodedPath.split(/,|%2C/i, operations.length).join(',') : encodedPath)
    // What tRPC cannot read must not hide why it was refused before.
    if (error && !isReached) answer = await resolve(new Request(origin), unknownOperation)
    const { status, body } = answer
    if (status === 405) headers = { ...headers, allow }
    // Whoever asks for a stream gets each answer as it comes.
    if (answer.headers.has('transfer-encoding')) return respond(visit, { status, body, headers: streamHeaders })
    const text = await answer.text()
    return respond(visit, { status, body: isReached ? text : addRequestId(text, visit.requestId), headers })
  }
}

export declare namespace createTrpcEdge {
  type Settings = Pick<HttpSettings, 'chains' | 'store' | 'now'> & { readonly admit: Admit }
}

/** The operations that a path calls, decoded once as tRPC does it; one more than are taken stands for all that follow. */
function listOperations(encodedPath: string): readonly string[] {
  const names = decodePath(encodedPath).split(',', maxBatchSize + 1)
  return names.map((name) => (Object.hasOwn(appRouter._def.procedures, name) ? name : unknownOperation))
}

type Entered = { readonly request: Request; readonly isAdmin: boolean; readonly error: TRPCError | null }

/** Checks what the edge checks, and reads the body, so that a refusal reaches the client as an error of tRPC. */
async function enter(visit: Visit, operations: readonly string[], admit: Admit): Promise<Entered> {
  const { method, headers, signal } = visit.request
  const url = `${origin}${visit.path}?${visit.query}`
  try {
    // Costs a call before it is refused, like any other.
    const { isAdmin } = await admit(visit, operations.length <= maxBatchSize ? operations : [unknownOperation])
    assertBatchSize(operations)
    assertMethod(method)
    if (method === 'POST') assertJsonMediaType(headers)
    const body = method === 'POST' ? await readBody(visit.request) : null
    return { request: new Request(url, { method, headers, body, signal }), isAdmin, error: null }
  } catch (error) {
    const { code, message, details, cause } = toServiceError(error)
    const { status } = errorCatalogue[code]
    // No context exists yet from which the request id could be taken.
    const carried: object = { ...details, requestId: visit.requestId }
    const refusal = new ServiceError(code, message, { ...carried, cause })
    // Whoever asks for a stream is refused with a status all the same.
    return {
      request: new Request(url, { headers: { 'content-type': 'application/json' }, signal }),
      isAdmin: false,
      error: new TRPCError({ code: codesByStatus[status] ?? 'BAD_REQUEST', cause: refusal }),
    }
  }
}

/** Completes what tRPC itself refuses before there is a context, from which its formatter could take the request id. */
function addRequestId(text: string, requestId: string): string {
  const { error } = JSON.parse(text) as { readonly error: { readonly data: object } }
  return JSON.stringify({ error: { ...error, data: { ...error.data, requestId } } })
}

const codesByStatus: Readonly<Record<number, TRPCError['code']>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
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
