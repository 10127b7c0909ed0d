/** What travels with a request, from the edge to the log line. */
export type Env = {
  readonly Variables: { requestId: string; keyId?: string; operation?: string; cause?: unknown }
}
