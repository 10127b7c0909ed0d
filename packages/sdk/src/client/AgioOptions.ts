/** The URL of the service, the API key, and how requests are sent. */
export type AgioOptions = {
  /**
   * Base URL of the service, or of your own proxy that adds the key. Requests go to `/trpc` below it. In a browser it
   * may be a path. It must not have a query, a key or credentials, because servers and proxies log URLs.
   */
  readonly url: string
  /**
   * API key, sent as the header `X-API-Key`. Do not set it in a web page, where the key would be public. Let the page
   * call your own proxy instead.
   */
  readonly apiKey?: string | undefined
  /** Returns the API key. It is called before each request. If it throws, the call throws the same error. */
  readonly getApiKey?: (() => string | Promise<string>) | undefined
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Whether browser tabs with the same URL and key share one stream for their subscriptions. Default: true, or false
   * with a custom `fetch`, because its effect on requests is unknown to other tabs.
   */
  readonly shareTabs?: boolean | undefined
  /** How often a failed query is retried. Default: 3. Mutations are never retried. */
  readonly maxRetries?: number | undefined
}
