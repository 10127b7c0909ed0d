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
  return async (call) => {
    const input = toInput(call)
    try {
      const data = await procedures.get(call.endpoint.operation)?.run({ context: call.context, input })
      return JSON.stringify(data)
    } catch (cause) {
      throw new RestCallError(cause, input)
    }
  }
}

function toInput({ endpoint, path, query, body }: RestCall): Readonly<Record<string, unknown>> {
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

/** An admitted request with its input. */
type RestCall = {
  readonly endpoint: RestEndpoint
  /** The path with all of its parameters, encoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: Readonly<Record<string, unknown>>
  readonly context: Context
}

/**
 * Runs the procedure of a call.
 *
 * @returns its output as JSON text
 * @throws `RestCallError`
 */
export type RestHandler = (call: RestCall) => Promise<string>

/** The error of a procedure, as `cause`, with the input of the call. */
export class RestCallError extends Error {
  override readonly name = 'RestCallError'
  readonly input: unknown

  constructor(cause: unknown, input: unknown) {
    super('Cannot run the procedure: it threw', { cause })
    this.input = input
  }
}
