import { errorCatalogue, type ErrorCode } from '@agio/core'
import { errorName, oneOfErrors } from './errorSchemas.ts'
import { describedCommonHeaders } from '../http/responseHeaders.ts'

// The name of a response lists its codes. It is readable up to this number of codes.
const maxNamedCodes = 3

/**
 * Returns the error responses of an operation by status.
 *
 * @param shared the responses that operations share, by name. Responses with few codes are added to it and referenced
 */
export function createErrorResponses(
  codes: readonly ErrorCode[],
  shared: Record<string, object>,
): Readonly<Record<string, object>> {
  const byStatus = Map.groupBy(codes, (code) => errorCatalogue[code].status)
  const statuses = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(statuses.map(([status, matching]) => [status, share(status, matching, shared)]))
}

function share(status: number, codes: readonly ErrorCode[], shared: Record<string, object>): object {
  if (codes.length > maxNamedCodes) return createErrorResponse(status, codes)
  const name = codes.map(errorName).join('Or')
  shared[name] ??= createErrorResponse(status, codes)
  return { $ref: `#/components/responses/${name}` }
}

// Operations with and without an API key share this response. Its description of the limit headers is true for both.
function createErrorResponse(status: number, codes: readonly ErrorCode[]): object {
  const headers = { ...keyedHeaders, ...((status === 429 || status === 503) && refer('Retry-After')) }
  const description = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}.`).join('\n')
  return { description, headers, content: { 'application/json': { schema: oneOfErrors(codes) } } }
}

/** Returns references to described headers, by their names. */
export function refer(...names: readonly string[]): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The described headers of all responses. */
export const commonHeaders = refer(...Object.keys(describedCommonHeaders))

/** How a request can carry its API key. */
export const keySecurity: object[] = [{ apiKey: [] }, { bearer: [] }]

/** The headers of responses to requests with an API key. */
export const keyedHeaders = { ...commonHeaders, ...refer('RateLimit-Policy', 'RateLimit', 'X-API-Key-Expires-At') }
