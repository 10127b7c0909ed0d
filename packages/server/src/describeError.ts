const maxCauses = 5

/**
 * Describes an error for the log: each cause by name, code and sentence. Errors of viem are told by their short sentence,
 * because the long one holds the node's URL, which may hold a key, and the whole request.
 */
export function describeError(error: unknown): object {
  const causes: object[] = []
  for (let cause = error; cause instanceof Error && causes.length < maxCauses; cause = cause.cause) {
    const { name, code, shortMessage, message, stack } = cause as Error & { code?: unknown; shortMessage?: string }
    causes.push(shortMessage === undefined ? { name, code, message, stack } : { name, code, message: shortMessage })
  }
  return { causes }
}
