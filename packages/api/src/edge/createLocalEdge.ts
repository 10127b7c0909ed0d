import { Errors } from '@agio/core'
import type { Authenticate } from '../admission/createAuthenticate.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { decodePath, type HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { LocalEndpoint, LocalHandler } from '../settings/LocalHandler.ts'
import { formatAllow } from './allowedMethods.ts'
import type { HttpReply } from '../http/HttpReply.ts'
import { assertJsonMediaType, parseJsonObject, readBody } from '../http/readBody.ts'
import { respond, respondWithError } from '../http/respond.ts'

/** Creates the handler of `/local/`, which requires the admin key and responds in the envelope. @throws `ServiceError` */
export function createLocalEdge({ local, clientTimeoutMs, authenticateAdmin }: createLocalEdge.Dependencies) {
  return async (exchange: HttpExchange): Promise<HttpReply> => {
    await authenticateAdmin(exchange)
    const path = decodePath(exchange.path)
    const endpoint = local(path)
    if (!endpoint) throw Errors.pathNotFound(path)
    const { method } = exchange.request
    const run = Object.hasOwn(endpoint, method) ? endpoint[method as keyof LocalEndpoint] : undefined
    if (!run) return refuseMethod(exchange, formatAllow(Object.keys(endpoint)))
    const data = await run(method === 'POST' ? await readFields(exchange, clientTimeoutMs) : {})
    return respond(exchange, { body: JSON.stringify({ success: true, data }) })
  }
}

export declare namespace createLocalEdge {
  type Dependencies = { readonly local: LocalHandler } & Pick<AppSettings, 'clientTimeoutMs'> &
    Pick<Authenticate, 'authenticateAdmin'>
}

/** Reads the fields of a body; an empty body has none. */
async function readFields(
  { request, query }: HttpExchange,
  timeoutMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  const [field] = new URLSearchParams(query).keys()
  if (field !== undefined) {
    throw Errors.invalidRequest({ field, reason: 'unknown query parameter' })
  }
  const text = await readBody(request, timeoutMs)
  if (text === '') return {}
  assertJsonMediaType(request.headers)
  return parseJsonObject(text)
}

function refuseMethod(exchange: HttpExchange, allow: string): HttpReply {
  const error = Errors.methodNotAllowed({ path: exchange.path, method: exchange.request.method, allow })
  return respondWithError(exchange, toErrorBody(error), { allow })
}
