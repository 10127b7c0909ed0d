/**
 * The headers of all responses: the API, pages and documents, and refusals of requests that could not be read. If a response
 * sets one of these headers itself, its own value stays. openapi.json lists each described header, and pages of allowed origins
 * can read it.
 */
const commonHeaders: Readonly<Record<string, CommonHeader>> = {
  'X-Request-Id': { value: (requestId) => requestId, description: 'Id of the request', schema: { type: 'string' } },
  'Cache-Control': { value: () => 'no-store' },
  'X-Content-Type-Options': { value: () => 'nosniff' },
}

/** The described headers of some responses. Pages of allowed origins can read them. */
const otherHeaders = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1, example: 12 } },
  'RateLimit-Policy': {
    description:
      'Limits of the key: `q` calls per window of `w` seconds. The limit `nodes` counts requests to the nodes. Present if the tier of the key has limits',
    schema: { type: 'string', examples: ['"standard";q=100;w=900, "burst";q=10;w=1, "nodes";q=89000;w=900'] },
  },
  RateLimit: {
    description:
      'State of the limits: `r` remaining calls, or requests to the nodes, in each window, which ends in `t` seconds. Present if the tier of the key has limits',
    schema: { type: 'string', examples: ['"standard";r=97;t=612, "burst";r=9;t=1, "nodes";r=59994;t=612'] },
  },
  'X-API-Key-Expires-At': {
    description: 'Time at which the API key expires. Present in the last seven days before',
    schema: { type: 'string', format: 'date-time', examples: ['2027-01-31T00:00:00.000Z'] },
  },
} as const satisfies Record<string, HeaderDescription>

/** The described headers of all responses, by name, as OpenAPI describes them. */
export const describedCommonHeaders: Readonly<Record<string, HeaderDescription>> = Object.fromEntries(
  Object.entries(commonHeaders).flatMap(([name, { description, schema }]) =>
    description === undefined || schema === undefined ? [] : [[name, { description, schema }]],
  ),
)

/** All described headers, by name, as OpenAPI describes them. */
export const describedHeaders = { ...describedCommonHeaders, ...otherHeaders }

/** The headers that pages of allowed origins can read. */
export const exposedHeaders: readonly string[] = Object.keys(describedHeaders).toSorted()

const values = Object.entries(commonHeaders).map(([name, { value }]) => [name.toLowerCase(), value] as const)

/** Returns the headers of all responses for a request, by name in lower case. */
export function createCommonHeaders(requestId: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, toValue] of values) headers[name] = toValue(requestId)
  return headers
}

/** Adds the common headers to the headers of a response. Headers that the response has set itself stay unchanged. */
export function addCommonHeaders(headers: Headers, requestId: string): void {
  for (const [name, toValue] of values) if (!headers.has(name)) headers.set(name, toValue(requestId))
}

type CommonHeader = Partial<HeaderDescription> & {
  /** Returns the value of the header for the id of a request. */
  readonly value: (requestId: string) => string
}

type HeaderDescription = { readonly description: string; readonly schema: object }
