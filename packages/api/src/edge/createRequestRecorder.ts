import type { ServiceError } from '@agio/core'
import { createLoggedAddress } from '../admission/resolveAddress.ts'
import { findTransactionHash } from '../requestLog/findTransactionHash.ts'
import type { RequestTrace, TracedRequest } from '../http/RequestTrace.ts'
import type { NodeBudgets } from '../admission/createNodeBudgets.ts'
import { createRequestLimiter } from '../admission/createRequestLimiter.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { createUnreadExchange, type HttpExchange, type UnreadRequest } from '../http/HttpExchange.ts'
import type { HttpReply, HttpResult } from '../http/HttpReply.ts'
import { respondWithError } from '../http/respond.ts'
import { createRequestLogger } from '../requestLog/createRequestLogger.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { refuseTrpc } from './createTrpcEdge.ts'
import { trpcEndpoint } from './procedureNames.ts'

/**
 * Creates the recorder of all requests, which logs and counts each response, charges its node requests to the key, and limits
 * the requests of an address.
 */
export function createRequestRecorder(dependencies: Dependencies): RequestRecorder {
  const { log, metrics, nodeBudgets } = dependencies
  const toLoggedAddress = createLoggedAddress(dependencies)
  const limiter = createRequestLimiter(dependencies)
  const logRequest = createRequestLogger(dependencies)
  function record(
    exchange: HttpExchange,
    result: HttpResult<HttpReply | Response>,
    { method, path }: Pick<UnreadRequest, 'method' | 'path'>,
  ): void {
    const { requestId, receivedAtMs, trace } = exchange
    const { operation, keyId, operator, error, client } = result
    const { status } = result.response
    const ms = Math.round((performance.now() - receivedAtMs) * 1000) / 1000
    metrics.observe({ operation: operation ?? 'other', status, ms })
    const nodes = client?.nodeUse?.listNodes()
    const address = toLoggedAddress?.(exchange)
    const traceId = trace?.traceId
    const fields = { requestId, traceId, keyId, operator, operation, method, path, address, nodes, status, ms }
    if (trace) endTrace(trace, result, { requestId, method })
    if (status >= 500 && error !== undefined) log.error({ ...fields, err: error }, 'failed')
    else log.info(fields, 'answered')
    logRequest(exchange, result)
    if (result.client?.nodeUse) void charge(result)
  }
  async function charge({ operation = 'other', calls, client }: HttpResult<unknown>): Promise<void> {
    await calls
    const { nodeUse, key } = client ?? {}
    if (nodeUse && key) await nodeBudgets.charge(key, operation, nodeUse.measure().nodeRequests)
  }
  return {
    async serve(exchange, run) {
      const { method } = exchange.request
      const address = limiter.begin(exchange)
      try {
        const { trace } = exchange
        const serve = () => (trace ? trace.run(run) : run())
        const result = address === undefined ? toRefusal(exchange, limiter.error) : await serve()
        record(exchange, result, { method, path: exchange.path })
        return result
      } finally {
        if (address !== undefined) limiter.end(address)
      }
    },
    refuse(error, request) {
      const exchange = createUnreadExchange(request, performance.now())
      const result = toRefusal(exchange, error)
      record(exchange, result, request)
      return result
    },
  }
}

type Dependencies = Pick<AppSettings, 'log' | 'metrics' | 'logAddress'> &
  createRequestLimiter.Dependencies &
  createRequestLogger.Dependencies & { readonly nodeBudgets: Pick<NodeBudgets, 'charge'> }

/** Serves requests within the limits of their address, and records each in the log and the metrics. */
export type RequestRecorder = {
  /** Returns the result of a request, or its refusal if its address has too many requests in progress. */
  serve<Sent extends HttpReply | Response>(
    exchange: HttpExchange,
    run: () => Promise<HttpResult<Sent>>,
  ): Promise<HttpResult<Sent | HttpReply>>
  /** Returns the refusal of a request that could not be read. */
  refuse(error: ServiceError, request: UnreadRequest): HttpResult
}

function endTrace(
  trace: RequestTrace,
  { operation = 'other', keyId, error, input, response: { status } }: HttpResult<HttpReply | Response>,
  request: Pick<TracedRequest, 'requestId' | 'method'>,
): void {
  const code = error === undefined ? undefined : toErrorBody(error).code
  trace.end({ ...request, operation, status, keyId, code, transactionHash: findTransactionHash(input) })
}

/** Returns the refusal of a request before any edge handles it: tRPC's error shape below `/trpc/`, otherwise the envelope. */
function toRefusal(exchange: HttpExchange, error: ServiceError): HttpResult {
  if (exchange.path.startsWith(trpcEndpoint)) return refuseTrpc(exchange, error)
  return { response: respondWithError(exchange, toErrorBody(error)), error }
}
