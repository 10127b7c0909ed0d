import { errorCatalogue, ServiceError } from '@agio/core'
import { TRPCError } from '@trpc/server'
import { resolveResponse } from '@trpc/server/http'
import { AdmissionError, type Caller } from '../admission/Caller.ts'
import type { Admit } from '../admission/createAdmit.ts'
import { unknownOperation } from '../admission/operations.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { toServiceError } from '../errors/toServiceError.ts'
import { decodePath } from '../exchange/decodePath.ts'
import type { HttpExchange } from '../exchange/HttpExchange.ts'
import { appRouter } from '../router/appRouter.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { HttpResult } from './HttpResult.ts'
import { assertJsonMediaType, readBody } from './readBody.ts'
import { respond, retryAfter } from './respond.ts'

const endpoint = '/trpc/'
// The target of a request may name a host, even credentials, which `Request` rejects.
const origin = 'http://service'
const maxBatchSize = 10
const allow = 'GET, POST'
const streamHeaders = { vary: 'Origin, trpc-accept' }

/** Creates the handler of `/trpc`: the same procedures for typed clients, with errors in the shape of tRPC. */
export function createTrpcEdge({
  chains,
  store,
  now = Date.now,
  admit,
}: createTrpcEdge.Settings): (exchange: HttpExchange) => Promise<HttpResult> {
  return async (exchange) => {
    const { requestId } = exchange
    const encodedPath = exchange.path.slice(endpoint.length)
    const operations = listOperations(encodedPath)
    const { request, caller, error } = await admitAndRead(exchange, operations, admit)
    const context = { chains, store, isAdmin: caller.isAdmin, requestId, now }
    const to = { requestId, rateLimit: caller.rateLimit }
    let headers: Readonly<Record<string, string>> = {}
    let isReached = false
    let failure: unknown
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
        onError: (failed) => (failure = failed.error),
        responseMeta({ errors }) {
          const body = errors[0] && toErrorBody(errors[0])
          if (body) headers = retryAfter(body.status, body)
          return {}
        },
      })
    // tRPC repeats a refusal for each call of the path, whose length the client controls.
    let resolved = await resolve(
      request,
      error ? encodedPath.split(/,|%2C/i, operations.length).join(',') : encodedPath,
    )
    // An input that tRPC cannot parse must not hide the refusal.
    if (error && !isReached) resolved = await resolve(new Request(origin), unknownOperation)
    const { status, body } = resolved
    if (status === 405) headers = { ...headers, allow }
    const recorded = { operation: operations.join(','), keyId: caller.keyId, error: failure }
    const isStream = resolved.headers.has('transfer-encoding')
    if (isStream) return { response: respond(to, { status, body, headers: streamHeaders }), ...recorded }
    const text = await resolved.text()
    const content = { status, body: isReached ? text : addRequestId(text, requestId), headers }
    return { response: respond(to, content), ...recorded }
  }
}

export declare namespace createTrpcEdge {
  type Settings = Pick<AppSettings, 'chains' | 'store' | 'now'> & { readonly admit: Admit }
}

/** Lists the operations of a path, decoded once as tRPC does it, and at most one more than a batch may have. */
function listOperations(encodedPath: string): readonly string[] {
  const names = decodePath(encodedPath).split(',', maxBatchSize + 1)
  return names.map((name) => (Object.hasOwn(appRouter._def.procedures, name) ? name : unknownOperation))
}

type Admitted = { readonly request: Request; readonly caller: Caller; readonly error: TRPCError | null }

/** Admits a request and reads its body; a refusal is returned as an error of tRPC, for the client to receive as one. */
async function admitAndRead(exchange: HttpExchange, operations: readonly string[], admit: Admit): Promise<Admitted> {
  const { method, headers, signal } = exchange.request
  const url = `${origin}${exchange.path}?${exchange.query}`
  let caller: Caller = { isAdmin: false }
  try {
    // A batch that is too large costs one call, like any other refused request.
    caller = await admit(exchange, operations.length <= maxBatchSize ? operations : [unknownOperation])
    assertBatchSize(operations)
    assertMethod(method)
    if (method === 'POST') assertJsonMediaType(headers)
    const body = method === 'POST' ? await readBody(exchange.request) : null
    return { request: new Request(url, { method, headers, body, signal }), caller, error: null }
  } catch (thrown) {
    // Without the client's headers: a client that accepts a stream receives a status too.
    const request = new Request(url, { headers: { 'content-type': 'application/json' }, signal })
    if (!(thrown instanceof AdmissionError)) return { request, caller, error: toTrpcError(thrown, exchange) }
    return { request, caller: thrown.caller, error: toTrpcError(thrown.cause, exchange) }
  }
}

function toTrpcError(error: unknown, { requestId }: HttpExchange): TRPCError {
  const { code, message, details, cause } = toServiceError(error)
  const { status } = errorCatalogue[code]
  // There is no context yet, from which the formatter takes the request id.
  const detailsWithId: object = { ...details, requestId }
  const refusal = new ServiceError(code, message, { ...detailsWithId, cause })
  return new TRPCError({ code: codesByStatus[status] ?? 'BAD_REQUEST', cause: refusal })
}

/** Adds the request id to an error that tRPC throws before there is a context, from which the formatter takes it. */
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
  throw new ServiceError('svc/method-not-allowed', `Cannot call a procedure by ${method}: it supports ${allow}`, {})
}

function assertBatchSize({ length }: readonly string[]): void {
  if (length <= maxBatchSize) return
  const message = `Cannot answer the batch: it has more than ${maxBatchSize} calls`
  throw new ServiceError('svc/invalid-request', message, { field: 'batch', value: undefined })
}
