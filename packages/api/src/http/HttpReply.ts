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
