import { z } from 'zod'

/**
 * Accepts origins exactly as browsers send them in `Origin`. The error for any other value says what to write instead.
 */
export const corsOrigins = z.array(
  z.string().superRefine((value, context) => {
    const message = findIssue(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
)

const example = 'for instance https://app.example'

function findIssue(value: string): string | undefined {
  // The error never quotes the value, which may contain credentials.
  if (value.includes('*')) return `a wildcard is not an origin: list every origin by itself, ${example}`
  const url = URL.parse(value)
  if (!url?.host) return `it is not an origin: write scheme, host and port, ${example}`
  // `URL.origin` is 'null' for custom schemes, although their pages send an origin.
  const origin = `${url.protocol}//${url.host}`
  return value === origin ? undefined : `an origin is only a scheme, a host and a port: write ${origin}`
}
