const maxCauses = 5

/**
 * Returns an error for the log: name, code and message of the error and of each cause.
 *
 * Errors of viem have their short message, because the full message contains the request and the URL of the node, which
 * may contain a key. The message of a failed database query is omitted, because it contains the values to store.
 */
export function serializeError(error: unknown): object {
  const causes: object[] = []
  for (let cause = error; cause instanceof Error && causes.length < maxCauses; cause = cause.cause) {
    causes.push(serializeCause(cause))
  }
  return { causes }
}

function serializeCause(cause: Error): object {
  const { name, code, shortMessage, query, message, stack } = cause as Error & {
    readonly code?: unknown
    readonly shortMessage?: string
    readonly query?: unknown
  }
  if (shortMessage !== undefined) return { name, code, message: shortMessage }
  return typeof query === 'string' ? { name, code, message: 'Failed query' } : { name, code, message, stack }
}
