/**
 * Finds what answers a path under `/local/`, which is there only beside local chains; undefined if nothing does.
 *
 * It and what it finds may throw a `ServiceError`, which is answered as a failure like any other.
 */
export type LocalHandler = (path: string) => LocalEndpoint | undefined

/** By method: takes the fields of the body, of which a GET has none, and gives back the `data` of the answer. */
export type LocalEndpoint = Readonly<Partial<Record<'GET' | 'POST', (fields: Fields) => Promise<unknown>>>>

type Fields = Readonly<Record<string, unknown>>
