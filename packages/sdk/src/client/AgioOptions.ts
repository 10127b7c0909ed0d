/** Where the service is, and the key for it. */
export type AgioOptions = {
  /**
   * Base URL of the service, or of a proxy of your own that adds the key: requests go to `/trpc` below it. In a browser it may be
   * a path. It has no query, and neither a key nor credentials: servers and proxies log URLs.
   */
  readonly url: string
  /** API key, sent as the header `X-API-Key`. A web page has none and calls a proxy of its own: a key in a page is public. */
  readonly apiKey?: string | undefined
  /** Returns the API key of a request, and is called before each. What it throws is thrown by the call. */
  readonly getApiKey?: (() => string | Promise<string>) | undefined
  /** Sends the requests; by default the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Whether tabs of a browser with the same URL and key share one stream of what they watch. By default they do, unless there is a
   * `fetch`, whose effect on requests other tabs do not know.
   */
  readonly shareTabs?: boolean | undefined
  /** How often a failed query is repeated; 3 by default. A mutation is never repeated. */
  readonly maxRetries?: number | undefined
}
