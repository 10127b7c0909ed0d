import type { HttpExchange } from '../http/HttpExchange.ts'
import { toResponse, type HttpReply } from '../http/HttpReply.ts'
import type { HttpResult } from '../http/HttpResult.ts'

// The target of a request may name a host, even credentials, which `Request` rejects.
const origin = 'http://service'

/** Returns the GET request that a HEAD request stands for. */
export function toGetRequest({ headers, signal }: Request, { path, query }: HttpExchange): Request {
  return new Request(`${origin}${path}${query === '' ? '' : `?${query}`}`, { headers, signal })
}

/**
 * Returns the response to a HEAD request: the response of its GET request without the body, with the length of the
 * body.
 */
export async function toHeadResponse(result: HttpResult<HttpReply | Response>): Promise<Response> {
  const { isStream = false } = result
  const response = toResponse(result.response)
  const headers = new Headers(response.headers)
  if (isStream || headers.has('content-length')) await response.body?.cancel()
  else if (response.body) headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  return new Response(null, { status: response.status, headers })
}
