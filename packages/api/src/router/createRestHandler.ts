import type { AnyRouter } from '@trpc/server'
import { decodePath } from '../http/decodePath.ts'
import { prepareProcedures } from '../procedure/prepareProcedure.ts'
import { RestCallError, type RestCall, type RestHandler } from './RestHandler.ts'

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
  const given = endpoint.method === 'GET' ? query : body
  if (endpoint.parameters.length === 0) return given
  const parts = path.split('/')
  return {
    ...given,
    ...Object.fromEntries(endpoint.parameters.map(({ name, at }) => [name, decodePath(parts[at] ?? '')])),
  }
}
