/** A response, with what the log and the metrics record of its request. */
export type HttpResult = {
  readonly response: Response
  /** The operations that the request called, joined by commas. */
  readonly operation?: string | undefined
  readonly keyId?: string | undefined
  /** What made the request fail. */
  readonly error?: unknown
}
