/** What came back for a request. */
export type Answer = {
  readonly status: number
  /** By lower-case name; those that come twice are joined. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}
