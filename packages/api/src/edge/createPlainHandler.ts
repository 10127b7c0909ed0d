import type { AnyRouter } from '@trpc/server'
import type { Context } from '../procedure/Context.ts'
import { parsePlainRequest, type PlainCall } from './parsePlainRequest.ts'
import { prepareProcedures } from '../procedure/prepareProcedure.ts'
import { toErrorShape } from '../procedure/toErrorShape.ts'
import type { CallOutcome } from '../http/HttpReply.ts'
import { retryAfter, type respond } from '../http/respond.ts'

/**
 * Creates the handler of calls in the plain protocol of tRPC, which nearly all clients use. It runs the same prepared
 * procedures as REST. Its responses are the same bytes as the responses of tRPC's `resolveResponse`, but it creates no streams,
 * contexts and signals.
 *
 * @returns a function that returns the content of the response, with the last error of a procedure; undefined for a request
 * that only `resolveResponse` can answer
 */
export function createPlainHandler(
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
