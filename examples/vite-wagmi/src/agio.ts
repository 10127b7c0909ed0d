import { createAgio } from '@agio/sdk'
import { localContracts } from '@agio/sdk/testing'

/** The network of the page. */
export const chainId = 84532

/**
 * The client of the page. It has no API key. Its requests go to the server of the page, which adds the key. On a real
 * network, `contracts` has the addresses of its deployment.
 */
export const agio = createAgio({ url: '/agio', contracts: localContracts })
