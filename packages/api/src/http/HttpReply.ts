import type { ApiKey } from '@agio/store'
import type { NodeUse } from './NodeUse.ts'

/** A response before it is sent. Its headers are in lower case. */
export type HttpReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Response['body']
}

/** Returns a reply as a web-standard response. */
export function toResponse(reply: HttpReply | Response): Response {
  if (reply instanceof Response) return reply
  const { status, headers, body } = reply
  return new Response(body, { status, headers })
}

/** A response, with what the log and the metrics record of its request. */
export type HttpResult<Sent = HttpReply> = {
  readonly response: Sent
  /** Whether the body has no length until it ends. */
  readonly isStream?: boolean
  /** The operations that the request called, joined by commas. */
  readonly operation?: string | undefined
  readonly keyId?: string | undefined
  /** The name of the operator. */
  readonly operator?: string | undefined
  /** What made the request fail. */
  readonly error?: unknown
  /** The input of the operation; undefined if it was not read. */
  readonly input?: unknown
  /** The calls of a tRPC request. A batch that streams its results has them at its end. Undefined for a request with one outcome. */
  readonly calls?: readonly CallOutcome[] | Promise<readonly CallOutcome[]> | undefined
  /** The client, with its key and what the request has used of the nodes. */
  readonly client?: { readonly nodeUse?: NodeUse | undefined; readonly key?: ApiKey } | undefined
}

/** The outcome of one call of a request. */
export type CallOutcome = {
  readonly operation: string
  readonly status: number
  readonly input?: unknown
  readonly error?: unknown
  /** The JSON text with the result, if it is known. */
  readonly body?: string | undefined
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
