import { ServiceError } from '@agio/core'
import type { Context as HonoContext } from 'hono'
import type { Admit } from '../admission/createAdmit.ts'
import { toFailure } from '../failure/toFailure.ts'
import { createRestHandler, RestCallError } from '../rest/createRestHandler.ts'
import { createRoutes, isInPath, needsNoBody, type Match, type Route } from '../rest/createRoutes.ts'
import { appRouter } from '../router.ts'
import { assertJsonMediaType } from './assertJsonMediaType.ts'
import type { Env } from './Env.ts'
import { parseJsonObject } from './parseJsonObject.ts'
import { readBody } from './readBody.ts'
import { sendFailure } from './sendFailure.ts'
import type { Settings as HttpSettings } from './Settings.ts'
import { unknownOperation } from './unknownOperation.ts'

/** Answers `/api/v1`: route, admission, body, then the procedure, its answer wrapped in the envelope. */
export function createRestEdge({
  chains,
  store,
  now = Date.now,
  admit,
}: createRestEdge.Settings): (c: HonoContext<Env>) => Promise<Response> {
  const findRoute = createRoutes(appRouter)
  const callProcedure = createRestHandler()

  async function answer(c: HonoContext<Env>, { route, path }: Found, { url, isAdmin }: Admitted): Promise<Response> {
    const request = c.req.raw
    const data = await callProcedure({
      ...(await readInput(request, route, readQuery(url))),
      method: route.method,
      path,
      signal: request.signal,
      context: { chains, store, isAdmin, requestId: c.var.requestId, now },
    })
    return new Response(`{"success":true,"data":${data}}`, { headers: { 'content-type': 'application/json' } })
  }
  return async (c) => {
    // The path as it was sent: Hono's own is decoded, and what is decoded twice may be something else.
    const url = new URL(c.req.url)
    const match = findRoute(c.req.method, url.pathname)
    const operation = match && 'route' in match ? match.route.operation : unknownAt(url.pathname)
    c.set('operation', operation)
    try {
      const { isAdmin } = await admit(c, [operation])
      assertFound(match, c)
      return await answer(c, match, { url, isAdmin })
    } catch (error) {
      const { cause, input } = error instanceof RestCallError ? error : { cause: error, input: undefined }
      c.set('cause', cause)
      const response = sendFailure(toFailure(cause, input), c.var.requestId)
      if (match && 'allow' in match) response.headers.set('allow', match.allow.join(', '))
      return response
    }
  }
}

export declare namespace createRestEdge {
  type Settings = Pick<HttpSettings, 'chains' | 'store' | 'now'> & { readonly admit: Admit }
}

// What operators mistype is refused as theirs.
function unknownAt(path: string): string {
  return path.startsWith('/api/v1/admin/') ? `admin.${unknownOperation}` : unknownOperation
}

type Admitted = { readonly url: URL; readonly isAdmin: boolean }

function assertFound(match: Match, { req }: HonoContext<Env>): asserts match is Found {
  if (!match) throw new ServiceError('svc/not-found', `Cannot find ${req.path}: there is nothing at this path`, {})
  if ('route' in match) return
  const message = `Cannot call ${req.path} by ${req.method}: it takes ${match.allow.join(', ')}`
  throw new ServiceError('svc/method-not-allowed', message, {})
}

type Found = Extract<Match, { route: unknown }>

type Query = Readonly<Record<string, string | string[]>>

async function readInput(request: Request, route: Route, query: Query) {
  assertQuery(route, query)
  if (route.method === 'GET') return { query, body: {} }
  if (isEmpty(request.headers) && needsNoBody(route)) return { query: {}, body: {} }
  assertJsonMediaType(request.headers)
  const body = parseJsonObject(await readBody(request))
  // A path parameter would win over a field of its name, silently.
  for (const field of Object.keys(body)) if (isInPath(route, field)) throw noSuch('field', field, body[field])
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

function noSuch(kind: string, field: string, value: unknown): ServiceError {
  return new ServiceError('svc/invalid-request', `Cannot read ${field}: there is no such ${kind}`, { field, value })
}

function readQuery({ searchParams }: URL): Query {
  const names = [...new Set(searchParams.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
