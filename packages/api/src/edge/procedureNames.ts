import { decodePath, splitUrl, type HttpExchange } from '../http/HttpExchange.ts'

/** The paths of tRPC begin with this. */
export const trpcEndpoint = '/trpc/'

/** The most calls of a batch. */
export const maxBatchSize = 10

/**
 * Parses the names of the procedures in the path of a tRPC request, as tRPC does: it decodes the path once, and only a batch
 * separates names by commas.
 *
 * @returns at most one name more than a batch may have
 */
export function parseProcedureNames({ path, query }: Pick<HttpExchange, 'path' | 'query'>): readonly string[] {
  const text = decodePath(path.slice(trpcEndpoint.length))
  const isSplit = text.includes(',') && isBatch(new URLSearchParams(query))
  return isSplit ? text.split(',', maxBatchSize + 1) : [text]
}

/** Returns the number of calls of a request by its URL, or by its path and query: those of a tRPC batch, and otherwise 1. */
export function countCalls(url: string): number {
  const target = splitUrl(url)
  return target.path.startsWith(trpcEndpoint) ? parseProcedureNames(target).length : 1
}

/** Returns whether a tRPC request with these parameters is a batch. */
export function isBatch(parameters: URLSearchParams): boolean {
  return parameters.get('batch') === '1'
}
