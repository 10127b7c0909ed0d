/** A failure as it came over the wire. */
export type Failed = {
  readonly status: number
  /** All that it says; over tRPC what its error and the data of that say. */
  readonly failure: Readonly<Record<string, unknown>>
}
