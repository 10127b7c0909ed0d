import { createAgio } from '@agio/sdk'
import { useSession } from '../session/session.ts'
import { fetchRecorded } from './calls.ts'
import { getApiKey } from './getApiKey.ts'

const options = { url: '/', getApiKey: () => getApiKey(useSession.getState()), fetch: fetchRecorded, shareTabs: true }

/** The client of conversions, which repeats what fails for a moment. */
export const agio = createAgio(options)

/** The client of what the page shows: an error is shown at once, and the next request of the page mends it. */
export const shown = createAgio({ ...options, maxRetries: 0 })
