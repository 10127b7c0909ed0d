import { Errors } from '@agio/core'
import type { Context } from '../procedure/Context.ts'
import { findAddress, isPublicAddress } from './publicAddress.ts'

/**
 * Returns the URL of a receiver in its stored form. The addresses of the host name are checked at each attempt.
 *
 * @throws `svc/invalid-request` if the URL has credentials or a fragment. Except on local services, also if it is not
 * https or contains an address that is not public
 */
export function parseReceiverUrl(text: string, targets: Context['webhookTargets']): string {
  const refuse = (reason: string) => Errors.invalidRequest({ field: 'url', value: text, action: 'use url', reason })
  if (!URL.canParse(text)) throw refuse('it is not a valid URL')
  const url = new URL(text)
  const { protocol, username, password, hash } = url
  if (protocol !== 'https:' && (protocol !== 'http:' || targets !== 'local'))
    throw refuse('it does not start with https')
  if (username !== '' || password !== '') throw refuse('it has credentials')
  if (hash !== '' || text.endsWith('#')) throw refuse('it has a fragment')
  const address = findAddress(url)
  if (targets !== 'local' && address !== undefined && !isPublicAddress(address))
    throw refuse('its address is not public')
  return url.href
}
