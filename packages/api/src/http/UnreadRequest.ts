import { createExchange, type HttpExchange } from './HttpExchange.ts'

/** As much of a request as could be read before it was refused. */
export type UnreadRequest = {
  /** The remote address of its connection. */
  readonly address: string
  readonly method?: string | undefined
  /** The path as it was sent. */
  readonly path?: string | undefined
  readonly requestId?: string | undefined
}

/** Returns the exchange of a request that could not be read. */
export function createUnreadExchange(
  { address, path = '/', requestId }: UnreadRequest,
  receivedAtMs: number,
): HttpExchange {
  const headers = requestId === undefined ? {} : { 'x-request-id': requestId }
  const exchange = createExchange(new Request('http://service/', { headers }), address, receivedAtMs)
  return { ...exchange, path }
}
