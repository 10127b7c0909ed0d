import { isAgioError, clientError, isServiceFailure, toAgioError, type AgioError } from '../errors/AgioError.ts'
import { isObject } from '../errors/isObject.ts'
import { readText } from './readText.ts'
import { withSignal } from './withSignal.ts'

// The statuses of proxies while the service restarts or is busy. The last four are from Cloudflare.
const unreachableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504, 521, 522, 523, 524])

/**
 * Posts the input of a procedure as JSON and returns its result.
 *
 * @throws the error of the service, `network/unreachable`, `network/invalid-response`
 */
export async function requestService(url: string, options: requestService.Options): Promise<unknown> {
  const { fetch, signal, firstByteMs, maxBytes, headers, ...init } = options
  try {
    return await withSignal(signal, async (own, limit) => {
      limit(firstByteMs)
      const response = await fetch(url, { ...init, ...toPost(headers), signal: own })
      const body = parseJson(await readText(response, { url, most: maxBytes, limit }))
      if (isObject(body) && isObject(body['result']) && response.ok) return body['result']['data']
      throw toResponseError(url, response, body)
    })
  } catch (cause) {
    throw toRequestError(url, cause)
  }
}

/** Returns the parts of a request that all requests have in common. */
export function toPost(headers: Readonly<Record<string, string>>): RequestInit {
  // A redirect would send the key to another host.
  return { method: 'POST', redirect: 'manual', headers: { 'content-type': 'application/json', ...headers } }
}

/** Returns the error for a request that got no complete response. An error of this package is returned unchanged. */
export function toRequestError(url: string, cause: unknown): AgioError {
  if (isAgioError(cause)) return cause
  const reason = 'no complete response arrived. In a browser, a CORS error looks the same'
  return clientError('network/unreachable', `Cannot reach ${url}: ${reason}`, { url, cause })
}

export declare namespace requestService {
  type Options = {
    readonly fetch: typeof globalThis.fetch
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly signal: AbortSignal
    /** How long the response may take to begin. */
    readonly firstByteMs: number
    /** Most bytes of the response. Default: 1 MB. */
    readonly maxBytes?: number | undefined
  }
}

/** Returns the error for a response that is not a result, from its parsed body. */
export function toResponseError(url: string, response: Response, body: unknown): AgioError {
  const { status } = response
  const error = isObject(body) ? body['error'] : undefined
  const retryAfterSeconds = toSeconds(response.headers.get('retry-after'))
  if (isServiceFailure(error)) return toAgioError(error, retryAfterSeconds)
  if (unreachableStatuses.has(status)) {
    const message = `Cannot reach the service at ${url}: a proxy responded with status ${status}`
    return clientError('network/unreachable', message, { url, status, retryAfterSeconds })
  }
  const message = `Cannot read the response of ${url}: it did not come from an Agio service, and has status ${status}`
  return clientError('network/invalid-response', message, { url, status })
}

/** Parses the header `Retry-After`, a number of seconds or a date. */
function toSeconds(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isSafeInteger(seconds) ? Math.max(0, seconds) : undefined
}

/** Parses JSON. Returns undefined for other text, and for values so deep that functions which call themselves would fail. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value, maxDepth) ? value : undefined
  } catch {
    return undefined
  }
}

const maxDepth = 100

function isShallow(value: unknown, depth: number): boolean {
  return !isObject(value) || (depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1)))
}

const keyPattern = /agio_[\w-]{20,}/

/**
 * Returns the URL of the procedures below a base URL.
 *
 * @throws TypeError for an invalid URL, a URL with a secret, and a `http:` URL that is not allowed
 */
export function toEndpoint({ url, allowInsecure }: toEndpoint.Options): string {
  const flaw = findFlaw(url) ?? findInsecurity(url, allowInsecure)
  // The message leaves the URL out, because it may have a secret.
  if (flaw !== undefined) throw new TypeError(`Cannot use the URL of the service: ${flaw}`)
  return `${url.replace(/\/+$/, '')}/trpc`
}

export declare namespace toEndpoint {
  type Options = {
    readonly url: string
    /** Whether `http:` is accepted for other hosts than loopback. Default: false. */
    readonly allowInsecure?: boolean | undefined
  }
}

/** Returns what is wrong with a `http:` URL, whose responses others on the network can change, or undefined. */
export function findInsecurity(url: string, allowInsecure = false): string | undefined {
  const { protocol, hostname } = parseUrl(url) ?? {}
  if (allowInsecure || protocol !== 'http:' || loopback.test(hostname ?? '')) return undefined
  return 'it is not encrypted. Use https:, or set allowInsecure'
}

const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/

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

/** Parses an absolute URL or a path. Returns undefined for other text. */
export function parseUrl(url: string): URL | undefined {
  try {
    // Any base works for a path, because only its form is checked.
    return /^\/(?![/\\])/.test(url) ? new URL(url, 'http://localhost') : new URL(url)
  } catch {
    return undefined
  }
}
