import { ServiceError } from '@agio/core'
import type { Authenticate } from '../admission/createAuthenticate.ts'
import { nothingAt, wrongMethod } from '../failure/misdirected.ts'
import { toFailure } from '../failure/toFailure.ts'
import { decodePath } from '../visit/decodePath.ts'
import type { Visit } from '../visit/Visit.ts'
import { assertJsonMediaType } from './assertJsonMediaType.ts'
import type { LocalEndpoint, LocalHandler } from './LocalHandler.ts'
import { parseJsonObject } from './parseJsonObject.ts'
import { readBody } from './readBody.ts'
import { respond } from './respond.ts'
import { sendFailure } from './sendFailure.ts'

/** Answers `/local/` in the service's envelope, to who has shown the admin key. @throws `ServiceError` */
export function createLocalEdge({ local, authenticateAdmin }: createLocalEdge.Parts) {
  return async (visit: Visit): Promise<Response> => {
    await authenticateAdmin(visit)
    const path = decodePath(visit.path)
    const endpoint = local(path)
    if (!endpoint) throw nothingAt(path)
    const { method } = visit.request
    const answer = Object.hasOwn(endpoint, method) ? endpoint[method as keyof LocalEndpoint] : undefined
    if (!answer) return refuseMethod(visit, Object.keys(endpoint).join(', '))
    const data = await answer(method === 'POST' ? await readFields(visit) : {})
    return respond(visit, { body: JSON.stringify({ success: true, data }) })
  }
}

export declare namespace createLocalEdge {
  type Parts = { readonly local: LocalHandler } & Pick<Authenticate, 'authenticateAdmin'>
}

/** The fields of a body; none if there is no body. */
async function readFields({ request, query }: Visit): Promise<Readonly<Record<string, unknown>>> {
  const [field] = new URLSearchParams(query).keys()
  if (field !== undefined) {
    const message = `Cannot read ${field}: there is no such query parameter`
    throw new ServiceError('svc/invalid-request', message, { field, value: undefined })
  }
  const text = await readBody(request)
  if (text === '') return {}
  assertJsonMediaType(request.headers)
  return parseJsonObject(text)
}

function refuseMethod(visit: Visit, allow: string): Response {
  return sendFailure(visit, toFailure(wrongMethod(visit.path, visit.request.method, allow)), { allow })
}
