const example = 'for instance https://app.example'

/**
 * Returns why a text is not an origin as browsers send it in `Origin`, and what to write instead; undefined for an origin. The
 * reason never quotes the text, which may contain credentials.
 */
export function findError(text: string): string | undefined {
  if (text.includes('*')) return `a wildcard is not an origin: list every origin by itself, ${example}`
  const url = URL.parse(text)
  if (!url?.host) return `it is not an origin: write scheme, host and port, ${example}`
  // `URL.origin` is 'null' for custom schemes, although their pages send an origin.
  const origin = `${url.protocol}//${url.host}`
  return text === origin ? undefined : `an origin is only a scheme, a host and a port: write ${origin}`
}
