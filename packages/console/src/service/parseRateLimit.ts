/** A window of a rate limit from the headers `RateLimit-Policy` and `RateLimit`. */
export type RateWindow = {
  /** The tier, `burst` or `nodes`. */
  readonly name: string
  /** Calls, or requests to the nodes, per window. */
  readonly limit: number
  /** Length in seconds. */
  readonly windowSeconds: number
  /** Remaining calls. */
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly resetSeconds: number
}

/** Parses the limits of a key from the headers of a response. Returns undefined without limits. */
export function parseRateLimit(headers: Headers): readonly RateWindow[] | undefined {
  const policies = parseItems(headers.get('ratelimit-policy'))
  const states = parseItems(headers.get('ratelimit'))
  if (policies.size === 0) return undefined
  return [...policies].map(([name, { q = 0, w = 0 }]) => {
    const { r = q, t = w } = states.get(name) ?? {}
    return { name, limit: q, windowSeconds: w, remaining: r, resetSeconds: t }
  })
}

type Parameters = Readonly<Partial<Record<'q' | 'w' | 'r' | 't', number>>>

/** Parses a list such as `"burst";r=9;t=1`. */
function parseItems(header: string | null): ReadonlyMap<string, Parameters> {
  const items = header?.matchAll(/"([^"]*)"((?:;\w+=\d+)*)/g) ?? []
  return new Map(
    [...items].map(([, name = '', parameters = '']) => {
      const pairs = [...parameters.matchAll(/(\w+)=(\d+)/g)].map(([, key = '', value]) => [key, Number(value)])
      return [name, Object.fromEntries(pairs) as Parameters]
    }),
  )
}
