const keyPattern = /agio_[\w-]{20,}/

/** Returns the URL of the procedures below a base URL. @throws TypeError for a URL that cannot be one, or that has a secret */
export function toEndpoint(url: string): string {
  const flaw = findFlaw(url)
  // The URL may have a secret: it is not quoted.
  if (flaw !== undefined) throw new TypeError(`Cannot use the URL of the service: ${flaw}`)
  return `${url.replace(/\/+$/, '')}/trpc`
}

function findFlaw(url: string): string | undefined {
  const parsed = parseUrl(url)
  if (!parsed) return 'it is neither an absolute URL nor a path'
  const { protocol, username, password, pathname, search, hash } = parsed
  if (protocol !== 'http:' && protocol !== 'https:') return `its protocol is ${protocol}, not http: or https:`
  if (username !== '' || password !== '') return 'it has credentials, and URLs are logged'
  if (keyPattern.test(url)) return 'it has an API key, and URLs are logged'
  if (search !== '' || hash !== '' || /[?#]$/.test(url)) return 'it has a query or a fragment'
  if (/\/trpc\/*$/.test(pathname)) return 'it ends in /trpc, which is added to it'
  return undefined
}

function parseUrl(url: string): URL | undefined {
  try {
    // A page may be anywhere: what a path is relative to does not matter here.
    return /^\/(?![/\\])/.test(url) ? new URL(url, 'http://localhost') : new URL(url)
  } catch {
    return undefined
  }
}
