import { type AgioOptions, createAgio } from '@agio/sdk'
import { fetchRecorded, getApiKey } from './calls.ts'
import { useSession } from '../session/session.ts'
import { servicePath } from '../settings/settings.ts'

/** The options of the clients. The client for conversions retries temporary errors. */
export const agioOptions: AgioOptions & { readonly contracts: 'service' } = {
  url: `${servicePath}/`,
  getApiKey: () => getApiKey(useSession.getState()),
  // The service serves this page, so the page cannot be safer than the service.
  contracts: 'service',
  fetch: fetchRecorded,
  shareTabs: true,
}

/**
 * The client for displayed data. It does not retry: the page shows an error at once, and its next request may succeed.
 */
export const unretriedAgio = createAgio({ ...agioOptions, maxRetries: 0 })
