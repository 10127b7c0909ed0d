import { describedCommonHeaders } from '../http/responseHeaders.ts'

/** Returns references to described headers, by their names. */
export function refer(...names: readonly string[]): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The described headers of all responses. */
export const commonHeaders = refer(...Object.keys(describedCommonHeaders))

/** The headers of responses to requests with an API key. */
export const keyedHeaders = { ...commonHeaders, ...refer('RateLimit-Policy', 'RateLimit') }
