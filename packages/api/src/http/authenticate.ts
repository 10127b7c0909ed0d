import { ServiceError } from '@agio/core'
import type { ApiKey, Settings } from './Settings.ts'

/** The caller's key. @throws `svc/unauthorized` if it is missing or unknown */
export function authenticate(headers: Headers, findKey: Settings['findKey']): ApiKey {
  const secret = headers.get('x-api-key')
  if (secret === null) {
    throw new ServiceError('svc/unauthorized', 'Cannot answer the request: the header X-API-Key is missing', {})
  }
  const key = findKey(secret)
  if (key) return key
  throw new ServiceError('svc/unauthorized', 'Cannot answer the request: the API key is not known', {})
}
