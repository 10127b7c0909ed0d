import { METHODS } from 'node:http'
import { checkRest } from './checkRest.ts'
import { checkTrpc } from './checkTrpc.ts'
import { findLeak } from '../../test/codes/findLeak.ts'
import { encodeRequest, type FuzzRequest, type FuzzResponse } from './FuzzRequest.ts'

/**
 * Returns the violation of a response, if any: it must be a success that openapi.json describes or an error of the catalogue,
 * in the shape of its transport, and leak nothing.
 *
 * @param request the request, if known: bytes on a connection may be invalid
 */
export function checkResponse(
  answer: FuzzResponse,
  request: CheckedRequest | undefined,
  secrets: readonly string[],
): string | undefined {
  const { status, headers, text } = answer
  const leak = findLeak(JSON.stringify(answer), secrets)
  if (leak !== undefined) return `it leaks ${leak}`
  if (status >= 500) return `its status is ${status}`
  // Clients in other languages reject such JSON.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(text)) return 'it contains a lone surrogate'
  if (isBare(answer)) return request && !mayServerReject(request) ? 'it is bare' : undefined
  if (headers['x-request-id'] === undefined) return 'it has no X-Request-Id'
  if (request?.method === 'HEAD' || status === 204) return text === '' ? undefined : 'it has a body'
  // An error may echo the path, and only the beginning of other input.
  if (request && status >= 400 && text.length > 10_000 + 3 * request.target.length) return 'it echoes a large body'
  return request && isExact(request) ? checkAtPath(request, answer) : checkUnknown(answer)
}

type CheckedRequest = Pick<FuzzRequest, 'method' | 'target' | 'headers'>

/**
 * Whether the server of the runtime rejected the request before the service, without an envelope: 400 for a malformed request,
 * 413 for an overlong chunk extension, 414 and 431 for a head that is too large, 417 for an unsupported expectation.
 */
function isBare({ status, headers, text }: FuzzResponse): boolean {
  return [400, 413, 414, 417, 431].includes(status) && text === '' && headers['x-request-id'] === undefined
}

/** Whether the service receives exactly that path: runtimes treat dots, fragments and hosts differently. */
function isExact({ target, headers }: CheckedRequest): boolean {
  const hasPlainPath = /^\/[!-~]*$/.test(target) && !/^[^?]*(#|\/\.|%2e)/i.test(target)
  return hasPlainPath && !headers.some(([name]) => name.toLowerCase() === 'host')
}

function checkAtPath(request: CheckedRequest, answer: FuzzResponse): string | undefined {
  const { method, target, headers } = request
  const [path = ''] = target.split('?', 1)
  if (/^\/trpc(\/|$)/.test(decode(path))) {
    // A request that was not read has no path.
    const isUnread = mayServerReject(request) && answer.text.startsWith('{"success":false')
    return isUnread ? checkRest(undefined, answer) : checkTrpc({ path, headers }, answer)
  }
  if (answer.status === 200 && !path.startsWith('/api/v1/')) return undefined
  return checkRest({ method, path }, answer)
}

function checkUnknown(answer: FuzzResponse): string | undefined {
  if (answer.status === 200) return undefined
  return answer.text.startsWith('{"success"') ? checkRest(undefined, answer) : checkTrpc(undefined, answer)
}

function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

// Headers that the server of the runtime validates itself.
const ownHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect'])
// Node accepts 16 kB and a thousand headers, Deno more bytes and a hundred headers.
const most = { headBytes: 15_000, headers: 95 }

/**
 * Whether the server of the runtime may reject a request before the service: its request line or a header is malformed, it
 * has an unusual host or length, or its head is too large.
 */
function mayServerReject({ method, target, headers }: Pick<FuzzRequest, 'method' | 'target' | 'headers'>): boolean {
  const isLineRead = METHODS.includes(method) && method !== 'CONNECT' && /^\/[!-[\]-~]*$/.test(target)
  const areHeadersRead = headers.every(
    ([name, value]) =>
      !ownHeaders.has(name.toLowerCase()) && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t -~]*$/.test(value),
  )
  const isSmall = headers.length <= most.headers && encodeRequest({ method, target, headers }).length <= most.headBytes
  return !isLineRead || !areHeadersRead || !isSmall
}
