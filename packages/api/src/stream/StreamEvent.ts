import type { ServiceError } from '@agio/core'

/** An event of a stream. */
export type StreamEvent = {
  /** The cursor to continue after it: `Last-Event-ID`. */
  readonly id: string
  /**
   * The name of its topic; `reconnect` for the last event of a process that stops, `end` for the last event of a
   * refused key.
   */
  readonly topic: string
  readonly data: object
  /** Why the stream ends, with `end`. */
  readonly refusal?: ServiceError | undefined
}

/** How a stream ends. */
export type StreamEnd =
  /** The process stops: another one continues. */
  | { readonly reason: 'stopping' }
  /** The key is no longer valid. */
  | { readonly reason: 'refused'; readonly refusal: ServiceError }
  /** The client has gone. */
  | { readonly reason: 'gone' }
