import { AgioError } from '@agio/sdk'

/**
 * Returns the key of a request.
 *
 * @throws `svc/unauthorized` without one, as the service would, but without a request to it
 */
export function getApiKey({ apiKey }: { readonly apiKey: string }): string {
  if (apiKey !== '') return apiKey
  throw new AgioError('svc/unauthorized', 'Cannot call the service: this page has no API key yet', {
    details: {},
    retryable: false,
    action: 'fix_input',
  })
}
