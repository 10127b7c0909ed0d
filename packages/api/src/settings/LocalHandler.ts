/**
 * Returns the endpoint of a path under `/local/`; undefined if the path has no endpoint. Only local stacks serve these
 * paths.
 *
 * The handler and its endpoints may throw a `ServiceError`, which is sent like any other error.
 */
export type LocalHandler = (path: string) => LocalEndpoint | undefined

/**
 * The functions of an endpoint by method. Each receives the fields of the body (none for other methods than POST) and returns the `data` of
 * the response.
 */
export type LocalEndpoint = Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', (fields: Fields) => Promise<unknown>>>>

type Fields = Readonly<Record<string, unknown>>
