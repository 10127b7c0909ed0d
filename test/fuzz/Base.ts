/** A valid call of an operation, in parts that can be spoilt one by one. */
export type Base = {
  readonly transport: 'REST' | 'tRPC'
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Where the input stands: as parameters of the query, as JSON in one of them, or as JSON in the body. */
  readonly place: 'query' | 'input' | 'body'
  /** The input: names and values as plain text for a query, as JSON text elsewhere. */
  readonly fields: Pairs
}

/** Names and values, in their order. A name may come twice. */
export type Pairs = readonly (readonly [name: string, value: string])[]
