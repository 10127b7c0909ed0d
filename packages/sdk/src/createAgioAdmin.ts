import type { AdminApi } from './admin/AdminApi.ts'
import { createCaller } from './client/createCaller.ts'

/**
 * Creates the operations of operators: keys, usage, pauses of quotes. The admin key belongs to a server or a
 * terminal. A page for operators holds it in memory alone.
 *
 * @throws TypeError for a URL that has a key or credentials
 *
 * @example
 * const admin = createAgioAdmin({ url: 'https://agio.example', adminKey: process.env.ADMIN_KEY })
 * const { keys } = await admin.keys.list.query()
 */
export function createAgioAdmin({ adminKey, ...options }: AgioAdminOptions): AgioAdmin {
  const key = { header: 'x-admin-key', get: () => adminKey }
  return (createCaller({ ...options, key }) as AdminApi).admin
}

/** The operations of operators, as a typed tRPC client: `admin.keys.list.query()`. */
export type AgioAdmin = AdminApi['admin']

/** Where the service is, and the admin key of it. */
export type AgioAdminOptions = {
  /** Base URL of the service: requests go to `/trpc` below it. It has no query, and neither a key nor credentials. */
  readonly url: string
  /** Admin key, sent as the header `X-Admin-Key`. */
  readonly adminKey: string
  /** Sends the requests; by default the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a failed query is repeated; 3 by default. A mutation is never repeated. */
  readonly maxRetries?: number | undefined
}
