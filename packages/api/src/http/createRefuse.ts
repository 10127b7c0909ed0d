import type { ServiceError } from '@agio/core'
import { toErrorBody } from '../errors/toErrorBody.ts'
import type { HttpExchange } from '../exchange/HttpExchange.ts'
import { createTrpcEdge } from './createTrpcEdge.ts'
import type { HttpResult } from './HttpResult.ts'
import { respondWithError } from './respond.ts'

/** Creates the refusal of requests before they are routed: in the error shape of tRPC for its paths, else in the envelope. */
export function createRefuse(settings: Omit<createTrpcEdge.Settings, 'admit'>): Refuse {
  return async (exchange, error) => {
    if (!exchange.path.startsWith('/trpc/')) return { response: respondWithError(exchange, toErrorBody(error)), error }
    const refuseTrpc = createTrpcEdge({ ...settings, admit: () => Promise.reject(error) })
    return await refuseTrpc(exchange)
  }
}

type Refuse = (exchange: HttpExchange, error: ServiceError) => Promise<HttpResult>
