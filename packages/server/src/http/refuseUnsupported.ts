import { splitUrl } from '@agio/api'
import { Errors, type ServiceError } from '@agio/core'
import type { Fetch, Refuse } from './answerUnread.ts'
import { isNormalTarget } from './isNormalTarget.ts'

/** Returns a `fetch` that refuses the requests that Node's server refuses. For runtimes whose server accepts such requests. */
export function refuseUnsupported({ fetch, refuse }: Service): Fetch {
  // Nearly all requests name the same host.
  let validHost: string | undefined
  const isValidHost = (host: string | null) => {
    if (host === null || host === validHost) return true
    if (host.endsWith(':') || !URL.canParse(`http://${host}`)) return false
    validHost = host
    return true
  }
  return (request, address) => {
    const error = findError(request, isValidHost)
    if (!error) return fetch(request, address)
    const { method, url, headers } = request
    return refuse(error, {
      address,
      method,
      path: splitUrl(url).path,
      requestId: headers.get('x-request-id') ?? undefined,
    })
  }
}

type Service = { readonly fetch: Fetch; readonly refuse: Refuse }

function findError(
  { method, url, headers }: Request,
  isValidHost: (host: string | null) => boolean,
): ServiceError | undefined {
  if (method === 'CONNECT') return Errors.tunnelNotAllowed()
  const expect = headers.get('expect')
  if (expect !== null && expect.toLowerCase() !== '100-continue') return Errors.expectationFailed({ expect: expect })
  const isValidTarget = isNormalTarget(url) && !(method === 'OPTIONS' && url.endsWith('/*'))
  if (isValidTarget && isValidHost(headers.get('host'))) return undefined
  return Errors.unreadableRequest({ part: 'request', reason: 'its target or its header Host is not valid' })
}
