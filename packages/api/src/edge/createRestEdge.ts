import { Errors, type ServiceError } from '@agio/core'
import { AdmissionError, type Caller } from '../admission/Caller.ts'
import { type Admit, unknownOperation } from '../admission/createAdmit.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { decodePath, type HttpExchange, type HttpHeaders, type HttpRequest } from '../http/HttpExchange.ts'
import { prepareProcedures } from '../procedure/prepareProcedure.ts'
import { createEndpointMatcher, isInPath, type RestEndpoint, type EndpointMatch } from '../router/restEndpoints.ts'
import { appRouter, type ServedRouter } from '../router/appRouter.ts'
import type { Context } from '../procedure/Context.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { formatAllow } from './allowedMethods.ts'
import type { CreateContext } from './createContexts.ts'
import type { HttpResult } from '../http/HttpReply.ts'
import { readJsonObject } from '../http/readBody.ts'
import { respond, respondWithError } from '../http/respond.ts'

/** Creates the handler of `/api/v1`: matches an endpoint, admits the request, reads its input and runs the procedure. */
export function createRestEdge({
  chains,
  admit,
  createContext,
  clientTimeoutMs,
  router,
}: createRestEdge.Dependencies): (exchange: HttpExchange) => Promise<HttpResult> {
  const matchEndpoint = createEndpointMatcher(router)
  const procedures = prepareProcedures(router)
  return async (exchange) => {
    const { request, requestId, trace, path } = exchange
    const match = matchEndpoint(request.method, path)
    const operation = match && 'endpoint' in match ? match.endpoint.operation : unmatchedOperation(path, router)
    let caller: Caller | undefined
    let context: Context | undefined
    let input: unknown
    try {
      caller = await admit(exchange, [operation])
      assertMatched(match, exchange)
      const query = parseQuery(exchange.query)
      assertQuery(match.endpoint, query)
      const body = hasBody(match.endpoint, request) ? await readJsonObject(request, clientTimeoutMs) : {}
      assertBody(match.endpoint, body)
      const { keyId, operator, rateLimit, keyExpiresAt } = caller
      context = createContext(exchange, caller)
      input = toInput(match, match.endpoint.method === 'GET' ? query : body)
      const data = JSON.stringify(await procedures.get(operation)?.run({ context, input }))
      const response = respond({ requestId, rateLimit, keyExpiresAt }, { body: `{"success":true,"data":${data}}` })
      return { response, operation, keyId, operator: operator?.name, input, client: context.client }
    } catch (thrown) {
      const isRefused = thrown instanceof AdmissionError
      const { keyId, operator, rateLimit, keyExpiresAt } = (isRefused ? thrown.caller : caller) ?? {}
      const error = isRefused ? thrown.cause : thrown
      const headers = match && 'allow' in match ? { allow: formatAllow(match.allow) } : {}
      const response = respondWithError(
        { requestId, trace, rateLimit, keyExpiresAt },
        toErrorBody(error, input, chains),
        headers,
      )
      return { response, operation, keyId, operator: operator?.name, error, input, client: context?.client }
    }
  }
}

export declare namespace createRestEdge {
  type Dependencies = Pick<AppSettings, 'chains' | 'clientTimeoutMs'> & {
    readonly admit: Admit
    readonly createContext: CreateContext
    readonly router: ServedRouter
  }
}

function assertMatched(
  match: EndpointMatch,
  { path, request }: HttpExchange,
): asserts match is Extract<EndpointMatch, { endpoint: unknown }> {
  if (!match) throw Errors.pathNotFound(path)
  if ('endpoint' in match) return
  throw Errors.methodNotAllowed({ path, method: request.method, allow: formatAllow(match.allow) })
}

// Unmatched admin paths require an admin key too, so that a 404 does not reveal which admin paths exist. A port without them
// treats them like any other path.
function unmatchedOperation(path: string, router: ServedRouter): string {
  return router === appRouter && path.startsWith('/api/v1/admin/') ? `admin.${unknownOperation}` : unknownOperation
}

type Query = Readonly<Record<string, string | string[]>>

/** Returns the input of a request: the fields of its query or body, and the parameters of its path. */
function toInput(
  { endpoint, path }: Extract<EndpointMatch, { endpoint: unknown }>,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (endpoint.parameters.length === 0) return fields
  const parts = path.split('/')
  const parameters = endpoint.parameters.map(({ name, segmentIndex }) => [name, decodePath(parts[segmentIndex] ?? '')])
  return { ...fields, ...Object.fromEntries(parameters) }
}

function hasBody(endpoint: RestEndpoint, { headers }: HttpRequest): boolean {
  return endpoint.method !== 'GET' && !(endpoint.isBodyOptional && isEmpty(headers))
}

function isEmpty(headers: HttpHeaders): boolean {
  const isSent = headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0'
  return !isSent && !headers.has('content-type')
}

/** Refuses a field of the body that has the name of a path parameter. The parameter would silently replace the field. */
function assertBody(endpoint: RestEndpoint, body: Readonly<Record<string, unknown>>): void {
  for (const { name } of endpoint.parameters)
    if (Object.hasOwn(body, name)) throw toUnknownError('field', name, body[name])
}

/** Refuses query parameters that are unknown, empty or in the path, and any query except with GET. */
function assertQuery(endpoint: RestEndpoint, query: Query): void {
  for (const [field, value] of Object.entries(query)) {
    const isAllowed = endpoint.method === 'GET' && Object.hasOwn(endpoint.fields, field) && !isInPath(endpoint, field)
    if (!isAllowed) throw toUnknownError('query parameter', field, value)
    if (value !== '') continue
    throw Errors.invalidRequest({ field, value, reason: 'it is empty' })
  }
}

function toUnknownError(kind: string, field: string, value: unknown): ServiceError {
  return Errors.invalidRequest({ field, value, reason: `unknown ${kind}` })
}

function parseQuery(search: string): Query {
  if (search === '') return {}
  const groups = Map.groupBy(new URLSearchParams(search), ([name]) => name)
  return Object.fromEntries(
    Array.from(groups, ([name, pairs]) => {
      const values = pairs.map(([, value]) => value)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
