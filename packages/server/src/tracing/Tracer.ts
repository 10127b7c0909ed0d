import type { Tracing } from '@agio/api'

/** Writes the spans of traced work, and sends them to the collector of the operator in the background. */
export type Tracer = Tracing & {
  /** Runs work as a span of the current trace; without a span if the work belongs to no trace. */
  inSpan<Result>(span: SpanOptions<Result>, work: () => Promise<Result>): Promise<Result>
  /**
   * Runs work that no request waits for as a trace of its own, which links to its cause. Without a cause, a share of the work is
   * traced.
   */
  inTrace<Result>(span: CausedSpan<Result>, work: () => Promise<Result>): Promise<Result>
  /** Returns the number of spans that were not sent, by reason. */
  countDropped(reason: DropReason): number
  /** Sends the waiting spans, for at most two seconds. */
  stop(): Promise<void>
}

/** Why spans are not sent: the queue was full, or the collector did not accept them. */
export const dropReasons = ['full', 'lost'] as const

/** A reason why spans are not sent. */
export type DropReason = (typeof dropReasons)[number]

/** A span: its name, and what is known when it starts and when it ends. */
export type SpanOptions<Result> = {
  readonly name: string
  readonly attributes: Attributes
  /** Returns why the work failed; undefined for a success, such as a call that reverts. Default: the code of the error. */
  readonly findFailure?: ((error: unknown) => string | undefined) | undefined
  /** Returns what is known of the result, with `error.type` if the work failed. */
  readonly describe?: ((result: Result) => Attributes) | undefined
}

/** The first span of a trace that a request has caused. */
type CausedSpan<Result> = SpanOptions<Result> & {
  /** The `traceparent` of the request; null if the request was not traced. */
  readonly cause: string | null
}

/** The attributes of a span. They contain no secrets, URLs or messages of errors. */
type Attributes = Readonly<Record<string, string | number | undefined>>
