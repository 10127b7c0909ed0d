const keyPattern = /agio_[\w-]{20,}/

/** Returns the URL of the procedures below a base URL. @throws TypeError for an invalid URL or a URL with a secret */
export function toEndpoint(url: string): string {
  const flaw = findFlaw(url)
  // The message leaves the URL out, because it may have a secret.
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
  if (/\/trpc\/*$/.test(pathname)) return 'it ends in /trpc, which the client adds'
  return undefined
}

function parseUrl(url: string): URL | undefined {
  try {
    // Any base works for a path, because only its form is checked.
    return /^\/(?![/\\])/.test(url) ? new URL(url, 'http://localhost') : new URL(url)
  } catch {
    return undefined
  }
}
