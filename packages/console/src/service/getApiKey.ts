import { AgioError } from '@agio/sdk'

/**
 * Returns the API key for a request.
 *
 * @throws `svc/unauthorized` without a key, like the service, but without sending a request
 */
export function getApiKey({ apiKey }: { readonly apiKey: string }): string {
  if (apiKey !== '') return apiKey
  throw new AgioError('svc/unauthorized', 'Cannot call the service: enter an API key first', {
    details: {},
    retryable: false,
    action: 'fix_input',
  })
}
