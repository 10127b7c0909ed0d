import type { HttpExchange } from '../exchange/HttpExchange.ts'
import type { HttpResult } from './HttpResult.ts'

// The target of a request may name a host, even credentials, which `Request` rejects.
const origin = 'http://service'

/** Returns the exchange of the GET request that a HEAD request stands for. */
export function toGetExchange(exchange: HttpExchange): HttpExchange {
  const { request, path, query } = exchange
  const { headers, signal } = request
  const url = `${origin}${path}${query === '' ? '' : `?${query}`}`
  return { ...exchange, request: new Request(url, { headers, signal }) }
}

/** Returns the response to a HEAD request: that of its GET request without the body, and with the length of it. */
export async function toHeadResponse({ response, isStream = false }: HttpResult): Promise<Response> {
  const headers = new Headers(response.headers)
  if (isStream || headers.has('content-length')) await response.body?.cancel()
  else if (response.body) headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  return new Response(null, { status: response.status, headers })
}
