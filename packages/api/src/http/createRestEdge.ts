import { ServiceError, toSafeEcho } from '@agio/core'
import type { Admit } from '../admission/createAdmit.ts'
import { nothingAt, wrongMethod } from '../failure/misdirected.ts'
import { toFailure } from '../failure/toFailure.ts'
import { createRoutes, isInPath, type Match, type Route } from '../rest/createRoutes.ts'
import { createRestHandler } from '../rest/createRestHandler.ts'
import { RestCallError } from '../rest/RestHandler.ts'
import { appRouter } from '../router.ts'
import { assertJsonMediaType } from './assertJsonMediaType.ts'
import { parseJsonObject } from './parseJsonObject.ts'
import { readBody } from './readBody.ts'
import { respond } from './respond.ts'
import { sendFailure } from './sendFailure.ts'
import type { Settings as HttpSettings } from '../Settings.ts'
import { unknownOperation } from '../visit/unknownOperation.ts'
import type { Visit } from '../visit/Visit.ts'

/** Answers `/api/v1`: route, admission, body, then the procedure, its answer wrapped in the envelope. */
export function createRestEdge({
  chains,
  store,
  now = Date.now,
  admit,
  callRest = createRestHandler(appRouter),
}: createRestEdge.Settings): (visit: Visit) => Promise<Response> {
  const findRoute = createRoutes(appRouter)
  return async (visit) => {
    const { request, requestId } = visit
    const match = findRoute(request.method, visit.path)
    visit.operation = match && 'route' in match ? match.route.operation : unknownAt(visit.path)
    try {
      const { isAdmin } = await admit(visit, [visit.operation])
      assertFound(match, visit)
      const { query, body } = await readInput(visit, match.route)
      const data = await callRest({ ...match, query, body, context: { chains, store, isAdmin, requestId, now } })
      return respond(visit, { body: `{"success":true,"data":${data}}` })
    } catch (error) {
      const { cause, input } = error instanceof RestCallError ? error : { cause: error, input: undefined }
      visit.cause = cause
      return sendFailure(
        visit,
        toFailure(cause, input),
        match && 'allow' in match ? { allow: match.allow.join(', ') } : {},
      )
    }
  }
}

export declare namespace createRestEdge {
  type Settings = Pick<HttpSettings, 'chains' | 'store' | 'now' | 'callRest'> & { readonly admit: Admit }
}

type Found = Extract<Match, { route: unknown }>

function assertFound(match: Match, { path, request }: Visit): asserts match is Found {
  if (!match) throw nothingAt(path)
  if ('route' in match) return
  throw wrongMethod(path, request.method, match.allow.join(', '))
}

// What operators mistype is refused as theirs.
function unknownAt(path: string): string {
  return path.startsWith('/api/v1/admin/') ? `admin.${unknownOperation}` : unknownOperation
}

type Query = Readonly<Record<string, string | string[]>>

async function readInput({ request, query: search }: Visit, route: Route) {
  const query = readQuery(search)
  assertQuery(route, query)
  if (route.method === 'GET') return { query, body: {} }
  if (route.needsNoBody && isEmpty(request.headers)) return { query: {}, body: {} }
  assertJsonMediaType(request.headers)
  const body = parseJsonObject(await readBody(request))
  // A path parameter would win over a field of its name, silently.
  for (const { name } of route.parameters) if (Object.hasOwn(body, name)) throw noSuch('field', name, body[name])
  return { query: {}, body }
}

function isEmpty(headers: Headers): boolean {
  const hasBody = headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0'
  return !hasBody && !headers.has('content-type')
}

/** Refuses what trpc-to-openapi would pass over: unknown, empty and hidden parameters, and a query beside a body. */
function assertQuery(route: Route, query: Query): void {
  for (const [field, value] of Object.entries(query)) {
    const isTaken = route.method === 'GET' && Object.hasOwn(route.fields, field) && !isInPath(route, field)
    if (!isTaken) throw noSuch('query parameter', field, value)
    if (value !== '') continue
    throw new ServiceError('svc/invalid-request', `Cannot read ${field}: it is empty`, { field, value })
  }
}

function noSuch(kind: string, name: string, value: unknown): ServiceError {
  const field = toSafeEcho(name)
  const details = { field, value: toSafeEcho(value) }
  return new ServiceError('svc/invalid-request', `Cannot read ${field}: there is no such ${kind}`, details)
}

function readQuery(search: string): Query {
  if (search === '') return {}
  const groups = Map.groupBy(new URLSearchParams(search), ([name]) => name)
  return Object.fromEntries(
    Array.from(groups, ([name, pairs]) => {
      const values = pairs.map(([, value]) => value)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
