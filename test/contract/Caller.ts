/** What a call came to, over whichever transport. */
type Outcome = {
  readonly status: number
  /** What the procedure answered; undefined for a failure. */
  readonly data?: Record<string, unknown> | undefined
  /** The failure's code and figures; undefined for a success. */
  readonly failure?: Failure | undefined
}

export type Failure = { readonly code: string; readonly [field: string]: unknown }

/** Calls an operation by name, whatever the transport, and checks the answer against openapi.json. */
export type Caller = (operation: string, input: Readonly<Record<string, unknown>>) => Promise<Outcome>
