import type { AgioApi } from './api/AgioApi.ts'
import type { AgioOptions } from './client/AgioOptions.ts'
import { createCaller } from './client/createCaller.ts'

/**
 * Creates the client of a service.
 *
 * @throws TypeError for a URL that has a key or credentials, and for two keys
 *
 * @example
 * const agio = createAgio({ url: 'https://agio.example', apiKey: process.env.AGIO_API_KEY })
 * const { pools } = await agio.api.pools.list.query({ chainId: 84532 })
 */
export function createAgio(options: AgioOptions): Agio {
  const api = createCaller({ ...options, key: toKey(options) }) as AgioApi
  return { api }
}

/** The client of a service. */
export type Agio = {
  /** All operations, as a typed tRPC client: `agio.api.pools.list.query(input, { signal })`. */
  readonly api: AgioApi
}

function toKey({ apiKey, getApiKey }: AgioOptions): createCaller.Key | undefined {
  if (apiKey !== undefined && getApiKey) throw new TypeError('Cannot use both apiKey and getApiKey')
  const get = apiKey === undefined ? getApiKey : () => apiKey
  return get && { header: 'x-api-key', get }
}
