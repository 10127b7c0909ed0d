import { Errors } from '@agio/core'
import { resolveResponse } from '@trpc/server/http'
import type { AnyRouter } from '@trpc/server'
import { AdmissionError, type Caller } from '../admission/Caller.ts'
import { type Admit, unknownOperation } from '../admission/createAdmit.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { origin, type HttpExchange } from '../http/HttpExchange.ts'
import { appRouter, type ServedRouter } from '../router/appRouter.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { Context } from '../procedure/Context.ts'
import { listProcedures } from '../procedure/listProcedures.ts'
import { toErrorShape } from '../procedure/toErrorShape.ts'
import { formatAllow, listProcedureMethods } from './allowedMethods.ts'
import type { CallOutcome, HttpResult } from '../http/HttpReply.ts'
import type { OpenCallerStreams, CreateContext } from './createContexts.ts'
import { createCallOutcomes } from './createCallOutcomes.ts'
import { observeEnd } from '../http/observeEnd.ts'
import { parseInput, parsePlainRequest, type PlainCall } from './parsePlainRequest.ts'
import { isBatch, maxBatchSize, parseProcedureNames, trpcEndpoint } from './procedureNames.ts'
import { eventHeaders, streamOperation } from './createStreamEdge.ts'
import { assertJsonMediaType, readBody } from '../http/readBody.ts'
import { respond, retryAfter } from '../http/respond.ts'
import { prepareProcedures } from '../procedure/prepareProcedure.ts'

const streamHeaders = { vary: 'Origin, trpc-accept' }

/** Creates the handler of `/trpc`: the same procedures for typed clients, with errors in the shape of tRPC. */
export function createTrpcEdge({
  admit,
  createContext,
  clientTimeoutMs,
  openCallerStreams,
  router,
}: createTrpcEdge.Dependencies): (exchange: HttpExchange) => Promise<HttpResult> {
  const handlePlain = createPlainHandler(router)
  return async (exchange) => {
    const { requestId } = exchange
    const names = parseProcedureNames(exchange)
    const operations = toOperations(router, names)
    const operation = operations.join(',')
    let caller: Caller = {}
    try {
      // A batch that is too large costs one call, like any other refused request.
      caller = await admit(exchange, operations.length <= maxBatchSize ? operations : [unknownOperation])
      assertBatchSize(operations)
      const { keyId, rateLimit, keyExpiresAt } = caller
      const operator = caller.operator?.name
      const streams = operation === streamOperation ? openCallerStreams(exchange, caller) : undefined
      const context = createContext(exchange, caller, streams)
      const body = await readInput(exchange, { names, router, clientTimeoutMs })
      const { method, headers } = exchange.request
      const plain = await handlePlain({ method, headers, operations, query: exchange.query, body }, context)
      const { client } = context
      if (plain) {
        const { error, calls } = plain
        const response = respond({ requestId, rateLimit, keyExpiresAt }, plain)
        return { response, operation, keyId, operator, error, calls, client }
      }
      const inputs = readInputs(exchange, body)
      const encodedPath = exchange.path.slice(trpcEndpoint.length)
      const call = { request: toRequest(exchange, body), encodedPath, names, operations, inputs, context, router }
      const { error, isStream, calls, ...content } = await callProcedures(call)
      const response = respond({ requestId, rateLimit, keyExpiresAt }, content)
      return { response, isStream, operation, keyId, operator, error, calls, client }
    } catch (thrown) {
      const isRefused = thrown instanceof AdmissionError
      return refuseTrpc(exchange, isRefused ? thrown.cause : thrown, {
        ...(isRefused ? thrown.caller : caller),
        router,
      })
    }
  }
}

/**
 * Returns the result of a request that is refused as a whole. The body is one object: every link of tRPC's client reports it as
 * the error of each call. The streaming link could not read an array.
 */
export function refuseTrpc(
  exchange: HttpExchange,
  error: unknown,
  { keyId, operator, rateLimit, keyExpiresAt, router = appRouter }: Refused = {},
): HttpResult {
  const { requestId, trace } = exchange
  const names = parseProcedureNames(exchange)
  const shape = toErrorShape(error, { path: names.length === 1 ? names[0] : undefined, requestId, trace })
  const { httpStatus: status } = shape.data
  const allow = status === 405 && { allow: formatProcedureAllow(router, names) }
  const content = {
    status,
    body: JSON.stringify({ error: shape }),
    headers: { ...retryAfter(status, shape.data), ...allow },
  }
  return {
    response: respond({ requestId, rateLimit, keyExpiresAt }, content),
    operation: toOperations(router, names).join(','),
    keyId,
    operator: operator?.name,
    error,
  }
}

type Refused = Omit<Caller, 'key'> & {
  /** The served procedures. Default: all. */
  readonly router?: ServedRouter
}

export declare namespace createTrpcEdge {
  type Dependencies = Pick<AppSettings, 'clientTimeoutMs'> & {
    readonly admit: Admit
    readonly createContext: CreateContext
    readonly openCallerStreams: OpenCallerStreams
    readonly router: ServedRouter
  }
}

/** Returns the operations with these names. */
function toOperations(router: ServedRouter, names: readonly string[]): readonly string[] {
  return names.map((name) => (listProcedures(router).has(name) ? name : unknownOperation))
}

function assertBatchSize({ length }: readonly string[]): void {
  if (length <= maxBatchSize) return
  throw Errors.invalidRequest({
    field: 'batch',
    action: 'answer the batch',
    reason: `it has more than ${maxBatchSize} calls`,
  })
}

/**
 * Reads the body of an admitted request.
 *
 * @throws the errors of `readBody` and `assertJsonMediaType`, `svc/method-not-allowed`
 */
async function readInput({ request }: HttpExchange, { names, router, clientTimeoutMs }: InputOptions): Promise<string> {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'POST') {
    const allow = formatProcedureAllow(router, names)
    throw Errors.methodNotAllowed({ path: 'a procedure', method, allow })
  }
  if (method === 'GET') return ''
  assertJsonMediaType(headers)
  return await readBody(request, clientTimeoutMs)
}

type InputOptions = Pick<createTrpcEdge.Dependencies, 'router' | 'clientTimeoutMs'> & {
  readonly names: readonly string[]
}

/** Returns a `Request` for tRPC, with the body that was read. */
function toRequest({ request: { method, headers, signal }, path, query }: HttpExchange, body: string): Request {
  const url = `${origin}${path}?${query}`
  const init = { method, headers: [...headers], signal }
  if (method === 'GET') return new Request(url, init)
  const read = new Request(url, { ...init, body })
  // Links that send queries by POST send an empty body for a query without input. tRPC would parse the empty body as JSON.
  return body === '' ? Object.assign(read, { json: () => Promise.resolve(undefined) }) : read
}

/**
 * Returns the input of each call by its index, for the request log; none if tRPC cannot read them.
 *
 * @throws the errors of `parseInput`
 */
function readInputs({ request: { method }, query }: HttpExchange, body: string): Readonly<Record<number, unknown>> {
  const parameters = new URLSearchParams(query)
  const parsed = parseInput({ method, body }, parameters)
  if (!parsed) return []
  return isBatch(parameters) ? Object(parsed.value) : [parsed.value]
}

type Call = {
  readonly request: Request
  readonly encodedPath: string
  readonly names: readonly string[]
  /** The procedure of each call. */
  readonly operations: readonly string[]
  /** The input of each call by its index. */
  readonly inputs: Readonly<Record<number, unknown>>
  readonly context: Context
  readonly router: ServedRouter
}

/**
 * Runs the procedures of a request. A POST body may contain the input of a query: tRPC calls this a method override.
 *
 * @returns the content of the response, with the last error of a procedure and the outcome of each call
 * @throws the error of a request that tRPC cannot read
 */
async function callProcedures({ request, encodedPath, names, operations, inputs, context, router }: Call) {
  const outcomes = createCallOutcomes(operations, inputs)
  let headers: Readonly<Record<string, string>> = {}
  let isParsed = false
  let error: unknown
  const resolved = await resolveResponse({
    router,
    req: request,
    path: encodedPath,
    error: null,
    maxBatchSize: operations.length,
    allowMethodOverride: true,
    async createContext() {
      isParsed = true
      return context
    },
    onError(failed) {
      error = failed.error
      outcomes.addFailure(failed)
    },
    responseMeta({ errors: [first] }) {
      const body = first && toErrorBody(first)
      if (body) headers = retryAfter(body.status, body)
      return {}
    },
  })
  if (!isParsed) throw error
  const { status, body } = resolved
  const isEvents = resolved.headers.get('content-type') === eventHeaders['content-type']
  const isStream = isEvents || resolved.headers.has('transfer-encoding')
  if (isEvents) return { status, body, headers: eventHeaders, error, isStream, calls: outcomes.list() }
  if (isStream) {
    // The calls of a streamed batch end with its body.
    const { promise: calls, resolve } = Promise.withResolvers<readonly CallOutcome[]>()
    const observed = body && observeEnd(body, () => resolve(outcomes.list()))
    return { status, body: observed, headers: streamHeaders, error, isStream, calls }
  }
  if (status === 405) headers = { ...headers, allow: formatProcedureAllow(router, names) }
  return { status, body: await resolved.text(), headers, error, isStream, calls: outcomes.list() }
}

/** Returns the header `Allow` for procedures. For unknown procedures, lists the methods of all procedures. */
function formatProcedureAllow(router: ServedRouter, names: readonly string[]): string {
  const methods = listProcedureMethods(router, names)
  return formatAllow(methods.length > 0 ? methods : ['GET', 'POST'])
}

/**
 * Creates the handler of calls in the plain protocol of tRPC, which nearly all clients use. It runs the same prepared
 * procedures as REST. Its responses are the same bytes as the responses of tRPC's `resolveResponse`, but it creates no streams,
 * contexts and signals.
 *
 * @returns a function that returns the content of the response, with the last error of a procedure; undefined for a request
 * that only `resolveResponse` can answer
 */
function createPlainHandler(
  router: AnyRouter,
): (request: parsePlainRequest.Request, context: Context) => Promise<PlainContent | undefined> {
  const procedures = prepareProcedures(router)
  return async (request, context) => {
    const parsed = parsePlainRequest(procedures, request)
    if (!parsed) return undefined
    const outcomes = await Promise.all(parsed.calls.map((call) => run(call, context)))
    const bodies = outcomes.map(({ body }) => body)
    const failed = outcomes.filter((outcome) => 'shape' in outcome)
    const [first] = failed
    const statuses = new Set(outcomes.map(({ status }) => status))
    const [status = 200] = statuses
    return {
      status: statuses.size > 1 ? 207 : status,
      body: parsed.isBatch ? `[${bodies.join(',')}]` : (bodies[0] ?? ''),
      headers: first ? retryAfter(first.status, first.shape.data) : {},
      error: failed.at(-1)?.error,
      calls: outcomes,
    }
  }
}

type PlainContent = respond.Content & {
  readonly status: number
  readonly error: unknown
  readonly calls: readonly CallOutcome[]
}

type Outcome = CallOutcome & { readonly body: string } & (object | { readonly shape: ReturnType<typeof toErrorShape> })

async function run({ operation, procedure, input }: PlainCall, context: Context): Promise<Outcome> {
  try {
    const data = await procedure.run({ context, input })
    return { operation, input, status: 200, body: JSON.stringify({ result: { data } }) }
  } catch (error) {
    const { requestId, chains, exchange } = context
    const { trace } = exchange
    const shape = toErrorShape(error, { path: operation, requestId, trace, input, chains })
    return { operation, input, status: shape.data.httpStatus, body: JSON.stringify({ error: shape }), shape, error }
  }
}
