/** The headers of responses. */
export const headers = {
  'X-Request-Id': { description: 'Id of the request', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1, example: 12 } },
  'RateLimit-Policy': {
    description:
      'Limits of the key: `q` calls per window of `w` seconds. Present if the request has a key of a tier with limits',
    schema: { type: 'string', examples: ['"standard";q=100;w=900, "burst";q=10;w=1'] },
  },
  RateLimit: {
    description:
      'State of the limits: `r` calls left in each window, which ends in `t` seconds. Present if the request has a key of a tier with limits',
    schema: { type: 'string', examples: ['"standard";r=97;t=612, "burst";r=9;t=1'] },
  },
}

/** Returns a reference to a header, by its name. */
export function refer(header: keyof typeof headers): object {
  return { [header]: { $ref: `#/components/headers/${header}` } }
}

/** The header of every response. */
export const requestIdHeader = refer('X-Request-Id')

/** The headers of responses to requests with an API key. */
export const keyedHeaders = { ...requestIdHeader, ...refer('RateLimit-Policy'), ...refer('RateLimit') }
