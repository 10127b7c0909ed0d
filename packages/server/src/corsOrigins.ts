import { z } from 'zod'

/** Accepts origins exactly as browsers send them in `Origin`; each other value is refused with what to write instead. */
export const corsOrigins = z.array(
  z.string().superRefine((value, context) => {
    const message = findIssue(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
)

const example = 'for instance https://app.example'

function findIssue(value: string): string | undefined {
  if (value.includes('*')) return `'${value}' is a wildcard: list every origin by itself, ${example}`
  const url = URL.parse(value)
  if (!url?.host) return `'${value}' is not an origin: write scheme, host and port, ${example}`
  // `URL.origin` is 'null' for schemes of apps, whose pages have an origin all the same.
  const origin = `${url.protocol}//${url.host}`
  // A URL may hold credentials, so that only its origin is shown.
  return value === origin ? undefined : `an origin is only a scheme, a host and a port: write ${origin}`
}
