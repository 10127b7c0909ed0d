const maxCauses = 5

/**
 * Describes an error for the log: each cause by name, code and sentence.
 *
 * Errors of viem are told by their short sentence, because the long one holds the node's URL, which may hold a key, and the
 * whole request; those of a database query without it, because it holds what was to be stored.
 */
export function describeError(error: unknown): object {
  const causes: object[] = []
  for (let cause = error; cause instanceof Error && causes.length < maxCauses; cause = cause.cause) {
    causes.push(describeCause(cause))
  }
  return { causes }
}

function describeCause(cause: Error): object {
  const { name, code, shortMessage, query, message, stack } = cause as Error & {
    readonly code?: unknown
    readonly shortMessage?: string
    readonly query?: unknown
  }
  if (shortMessage !== undefined) return { name, code, message: shortMessage }
  return typeof query === 'string' ? { name, code, message: 'Failed query' } : { name, code, message, stack }
}
