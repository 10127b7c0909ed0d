import type { HttpReply } from './HttpReply.ts'

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
