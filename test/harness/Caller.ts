/** The outcome of a call, over either transport. */
type Outcome = {
  readonly status: number
  /** The result of the procedure; undefined for a failure. */
  readonly data?: Record<string, unknown> | undefined
  /** The code and the fields of the error; undefined for a success. */
  readonly failure?: Failure | undefined
}

export type Failure = { readonly code: string; readonly [field: string]: unknown }

/** Calls an operation by name, and validates the response against openapi.json. */
export type Caller = (operation: string, input: Readonly<Record<string, unknown>>) => Promise<Outcome>
