/**
 * Returns the endpoint of a path under `/local/`, which only local stacks serve; undefined if there is none.
 *
 * It and its endpoints may throw a `ServiceError`, which is sent like any other.
 */
export type LocalHandler = (path: string) => LocalEndpoint | undefined

/** The functions of an endpoint by method: each takes the fields of the body (none for GET) and returns the response's `data`. */
export type LocalEndpoint = Readonly<Partial<Record<'GET' | 'POST', (fields: Fields) => Promise<unknown>>>>

type Fields = Readonly<Record<string, unknown>>
