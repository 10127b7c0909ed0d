/** Options of one call. */
export type CallOptions = {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
}

/** A procedure that changes nothing. */
export type Query<Input, Output> = {
  /** @throws `AgioError` */
  query(...args: Arguments<Input>): Promise<Output>
}

/** A procedure that changes something. The client repeats only those that accept an `Idempotency-Key`. */
export type Mutation<Input, Output> = {
  /** @throws `AgioError` */
  mutate(...args: Arguments<Input>): Promise<Output>
}

// An input without required fields may be omitted.
type Arguments<Input> = [Input] extends [void]
  ? [input?: undefined, options?: CallOptions]
  : {} extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions]
