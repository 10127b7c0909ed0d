import type { AnyRouter } from '@trpc/server'
import { decodePath } from '../http/HttpExchange.ts'
import { prepareProcedures } from '../procedure/prepareProcedure.ts'
import type { Context } from '../procedure/Context.ts'
import type { RestEndpoint } from './restEndpoints.ts'

/**
 * Creates the handler that runs the procedures of a router over REST. It parses each input once, by the schema of the
 * procedure, and serializes each output once.
 */
export function createRestHandler(router: AnyRouter): RestHandler {
  const procedures = prepareProcedures(router)
  return async ({ endpoint, context, input }) =>
    JSON.stringify(await procedures.get(endpoint.operation)?.run({ context, input }))
}

/** Returns the input of a request: the fields of its query or body, and the parameters of its path. */
export function toRestInput({ endpoint, path, query, body }: RestFields): Readonly<Record<string, unknown>> {
  const fields = endpoint.method === 'GET' ? query : body
  if (endpoint.parameters.length === 0) return fields
  const parts = path.split('/')
  return {
    ...fields,
    ...Object.fromEntries(
      endpoint.parameters.map(({ name, segmentIndex }) => [name, decodePath(parts[segmentIndex] ?? '')]),
    ),
  }
}

/** An admitted request with its fields. */
type RestFields = {
  readonly endpoint: RestEndpoint
  /** The path with all of its parameters, encoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: Readonly<Record<string, unknown>>
}

/** An admitted request with its input. */
type RestCall = RestFields & { readonly input: Readonly<Record<string, unknown>>; readonly context: Context }

/**
 * Runs the procedure of a call.
 *
 * @returns its output as JSON text
 * @throws the error of the procedure
 */
export type RestHandler = (call: RestCall) => Promise<string>
