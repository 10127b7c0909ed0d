/** What the service reads of a request: a `Request`, or what a server has of one before it creates it. */
export type HttpRequest = {
  readonly method: string
  /** The URL, or its path and query. */
  readonly url: string
  readonly headers: HttpHeaders
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  readonly body: Request['body']
  /** Reads the body, whose length the headers contain. */
  text(): string | Promise<string>
}

/** Headers by name, in lower case, and all of them. */
export type HttpHeaders = Pick<Headers, 'get' | 'has'> & Iterable<[string, string]>
