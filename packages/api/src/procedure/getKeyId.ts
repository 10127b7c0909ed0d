import { Errors } from '@agio/core'
import type { Context } from './Context.ts'

/** Returns the id of the API key of the request. @throws `svc/unauthorized` for an admin operation without one */
export function getKeyId({ keyId }: Pick<Context, 'keyId'>): string {
  if (keyId !== undefined) return keyId
  throw Errors.unauthorized({ reason: 'the API key is required' })
}
