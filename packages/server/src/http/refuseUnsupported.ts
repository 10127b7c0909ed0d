import type { ServiceError } from '@agio/core'
import type { Fetch, Refuse } from './answerUnread.ts'
import { notAProxy, unmetExpectation, unreadable } from './unreadErrors.ts'

/** Returns the `fetch` of a service for a runtime whose server passes on what Node's refuses. */
export function refuseUnsupported({ fetch, refuse }: refuseUnsupported.Service): Fetch {
  return (request, address) => {
    const error = findError(request)
    if (!error) return fetch(request, address)
    const { method, headers } = request
    return refuse(error, { address, method, requestId: headers.get('x-request-id') ?? undefined })
  }
}

export declare namespace refuseUnsupported {
  type Service = { readonly fetch: Fetch; readonly refuse: Refuse }
}

function findError({ method, url, headers }: Request): ServiceError | undefined {
  if (method === 'CONNECT') return notAProxy()
  const expect = headers.get('expect')
  if (expect !== null && expect.toLowerCase() !== '100-continue') return unmetExpectation(expect)
  const host = headers.get('host')
  const isValid = host === null || URL.canParse(`http://${host}`)
  if (isValid && !(method === 'OPTIONS' && url.endsWith('/*'))) return undefined
  return unreadable('its target or its header Host is not valid')
}
