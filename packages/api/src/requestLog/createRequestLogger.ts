import { toServiceError } from '../errors/toErrorBody.ts'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { CallOutcome, HttpReply, HttpResult } from '../http/HttpReply.ts'
import { listProcedures } from '../procedure/listProcedures.ts'
import { appRouter } from '../router/appRouter.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { findFailureCode, findTransactionHash } from './findTransactionHash.ts'
import { findNearestInput } from './findNearestInput.ts'
import { toLoggedInput } from './toLoggedInput.ts'

/** Creates the function that adds the calls of a request to the log of its key. Requests without a known key are not logged. */
export function createRequestLogger({ store, chains, now = Date.now }: createRequestLogger.Dependencies): LogRequest {
  function logCall(request: LoggedRequest, call: CallOutcome): void {
    const { keyId, requestId, receivedAtMs } = request
    const { requestLog } = store
    if (!requestLog.admit(keyId, toKind(call))) return
    const ms = performance.now() - receivedAtMs
    const { operation, status, input } = call
    requestLog.add({
      keyId,
      requestId,
      operation,
      status,
      atMs: now() - ms,
      ms,
      ...(request.client?.nodeUse?.measure() ?? noNodes),
      ...describe(call, chains),
      input: toLoggedInput(input),
    })
  }
  return ({ requestId, receivedAtMs }, { keyId, operation, response, error, input, calls, client }) => {
    if (keyId === undefined || operation === undefined) return
    const request = { keyId, requestId, receivedAtMs, client }
    const logCalls = (outcomes: readonly CallOutcome[]) => {
      for (const outcome of outcomes) logCall(request, outcome)
    }
    if (calls instanceof Promise) void calls.then(logCalls)
    else if (calls) logCalls(calls)
    else {
      const { status, body } = response
      const outcome = { status, error, input, body: typeof body === 'string' ? body : undefined }
      // A batch that is refused as a whole.
      for (const name of operation.split(',')) logCall(request, { operation: name, ...outcome })
    }
  }
}

export declare namespace createRequestLogger {
  type Dependencies = Pick<AppSettings, 'chains' | 'now'> & { readonly store: Pick<AppSettings['store'], 'requestLog'> }
}

/** Adds the calls of a request to the log of its key. */
export type LogRequest = (
  exchange: Pick<HttpExchange, 'requestId' | 'receivedAtMs'>,
  result: HttpResult<HttpReply | Response>,
) => void

type LoggedRequest = Pick<HttpExchange, 'requestId' | 'receivedAtMs'> &
  Pick<HttpResult, 'client'> & { readonly keyId: string }

const noNodes = { nodeRequests: 0, queueMs: 0, nodeMs: 0 } as const

const queries = new Set(
  [...listProcedures(appRouter)].filter(([, { type }]) => type === 'query').map(([operation]) => operation),
)

function toKind({ operation, status }: CallOutcome) {
  if (status === 429) return 'limited'
  return status < 400 && queries.has(operation) ? 'read' : 'other'
}

/** Returns the code of a call, the nearest input that works, and its transaction. */
function describe({ error, input, body }: CallOutcome, chains: object) {
  const transactionHash = findTransactionHash(input)
  if (error === undefined) {
    const code = transactionHash === undefined ? undefined : findFailureCode(body)
    return { code, nearestInput: undefined, transactionHash }
  }
  const failure = toServiceError(error, input, chains)
  const nearest = findNearestInput(failure, input)
  return { code: failure.code, nearestInput: nearest && JSON.stringify(nearest), transactionHash }
}
