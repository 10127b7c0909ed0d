/** The traces of requests, for the collector of the operator. */
export type Tracing = {
  /** Decides whether a request is traced, and begins its trace. Returns undefined for a request that is not traced. */
  begin(headers: Pick<Headers, 'get'>): RequestTrace | undefined
}

/** The trace of one request. A request without a trace makes no calls for it. */
export type RequestTrace = {
  /** The id of the trace: 32 hexadecimal digits. */
  readonly traceId: string
  /** The position in the trace, as W3C Trace Context formats it. What the request causes later links to it. */
  readonly traceparent: string
  /** Runs the work of the request, and returns its result. Requests of the work to other systems become spans of the trace. */
  run<Result>(work: () => Result): Result
  /** Runs a part of the work as a span of the trace, and returns its result. */
  inSpan<Result>(name: 'admission' | 'procedure' | 'snapshot', work: () => Result): Result
  /** Ends the trace with what is known of the request. */
  end(request: TracedRequest): void
}

/** What a trace records of its request. */
export type TracedRequest = {
  readonly requestId: string
  readonly method: string | undefined
  readonly operation: string
  readonly status: number
  readonly keyId: string | undefined
  /** The code of the error; undefined for a success. */
  readonly code: string | undefined
  /** The transaction that the request names or sends. */
  readonly transactionHash: string | undefined
}
