import { ServiceError } from '@agio/core'
import type { Context as HonoContext } from 'hono'
import { toFailure } from '../failure/toFailure.ts'
import { createRestHandler, RestCallError } from '../rest/createRestHandler.ts'
import { createRoutes, type Match, type Route } from '../rest/createRoutes.ts'
import { appRouter } from '../router.ts'
import { assertJsonMediaType } from './assertJsonMediaType.ts'
import { authenticate } from './authenticate.ts'
import type { Env } from './Env.ts'
import { parseJsonObject } from './parseJsonObject.ts'
import { readBody } from './readBody.ts'
import { sendFailure } from './sendFailure.ts'
import type { Settings } from './Settings.ts'

/** Answers `/api/v1`: key, route, body, then the procedure, its answer wrapped in the envelope. */
export function createRestEdge({
  chains,
  findKey,
  now = Date.now,
}: Settings): (c: HonoContext<Env>) => Promise<Response> {
  const findRoute = createRoutes(appRouter)
  const callProcedure = createRestHandler()

  async function answer(c: HonoContext<Env>, { route, path }: Found, url: URL): Promise<Response> {
    const request = c.req.raw
    const data = await callProcedure({
      ...(await readInput(request, route, readQuery(url))),
      method: route.method,
      path,
      signal: request.signal,
      context: { chains, requestId: c.var.requestId, now },
    })
    return new Response(`{"success":true,"data":${data}}`, { headers: { 'content-type': 'application/json' } })
  }
  return async (c) => {
    let match: Match
    try {
      c.set('keyId', authenticate(c.req.raw.headers, findKey).id)
      // The path as it was sent: Hono's own is decoded, and what is decoded twice may be something else.
      const url = new URL(c.req.url)
      match = findRoute(c.req.method, url.pathname)
      if (!match) {
        throw new ServiceError('svc/not-found', `Cannot find ${c.req.path}: there is nothing at this path`, {})
      }
      if ('allow' in match) {
        const message = `Cannot call ${c.req.path} by ${c.req.method}: it takes ${match.allow.join(', ')}`
        throw new ServiceError('svc/method-not-allowed', message, {})
      }
      c.set('operation', match.route.operation)
      return await answer(c, match, url)
    } catch (error) {
      const { cause, input } = error instanceof RestCallError ? error : { cause: error, input: undefined }
      c.set('cause', cause)
      const response = sendFailure(toFailure(cause, input), c.var.requestId)
      if (match && 'allow' in match) response.headers.set('allow', match.allow.join(', '))
      return response
    }
  }
}

type Found = Extract<Match, { route: unknown }>

type Query = Readonly<Record<string, string | string[]>>

async function readInput(request: Request, route: Route, query: Query) {
  assertQuery(route, query)
  if (route.method === 'GET') return { query, body: {} }
  assertJsonMediaType(request.headers)
  return { query: {}, body: parseJsonObject(await readBody(request)) }
}

/** Refuses what trpc-to-openapi would pass over: unknown, empty and hidden parameters, and a query beside a body. */
function assertQuery({ method, path, fields }: Route, query: Query): void {
  for (const [field, value] of Object.entries(query)) {
    // A path parameter would win over a query parameter of its name, silently.
    const isTaken = method === 'GET' && Object.hasOwn(fields, field) && !path.includes(`{${field}}`)
    if (isTaken && value !== '') continue
    const reason = isTaken ? 'it is empty' : 'there is no such query parameter'
    throw new ServiceError('svc/invalid-request', `Cannot read ${field}: ${reason}`, { field, value })
  }
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
