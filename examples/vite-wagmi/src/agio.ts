import { createAgio } from '@agio/sdk'

/** The network of the page. */
export const chainId = 84532

/** The client of the page. It has no API key. Its requests go to the server of the page, which adds the key. */
export const agio = createAgio({ url: '/agio' })
