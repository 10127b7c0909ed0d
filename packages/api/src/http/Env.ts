/** What comes with a request, and what travels with it from the edge to the log line. */
export type Env = {
  readonly Bindings: {
    /** The address that the connection comes from. */
    readonly address: string
  }
  readonly Variables: {
    requestId: string
    keyId?: string
    operation?: string
    /** What the key has left, as `RateLimit` and `RateLimit-Policy`. */
    rateLimit?: { readonly policy: string; readonly state: string }
    cause?: unknown
  }
}
