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
  /** What made the request fail. */
  readonly error?: unknown
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
