import type { AdminApi } from './admin/AdminApi.ts'
import { createCaller } from './client/createCaller.ts'

/**
 * Creates the client for operators: keys, usage and pauses of quotes. Keep the admin key on a server or in a terminal.
 * A page for operators must hold it only in memory.
 *
 * @throws TypeError for a URL with a key or credentials
 *
 * @example
 * const admin = createAgioAdmin({ url: 'https://agio.example', adminKey: process.env.ADMIN_KEY })
 * const { keys, pagination } = await admin.keys.list.query()
 */
export function createAgioAdmin({ adminKey, ...options }: AgioAdminOptions): AgioAdmin {
  const key = { header: 'x-admin-key', get: () => adminKey }
  return (createCaller({ ...options, key, maxBytes }) as AdminApi).admin
}

// A page may have a thousand keys.
const maxBytes = 16_000_000

/** The operations of operators, as a typed tRPC client: `admin.keys.list.query()`. */
export type AgioAdmin = AdminApi['admin']

/** The URL of the service, the admin key, and how requests are sent. */
export type AgioAdminOptions = {
  /**
   * Base URL of the service: requests go to `/trpc` below it. It must not have a query, a key or credentials. `http:` is
   * accepted for loopback hosts only, unless `allowInsecure` is set.
   */
  readonly url: string
  /** Admin key, sent as the header `X-Admin-Key`. */
  readonly adminKey: string
  /** Whether `http:` URLs of other hosts are accepted. Anyone on the network can then read the key. */
  readonly allowInsecure?: boolean | undefined
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a failed query or creation is retried. Default: 3. Other mutations are never retried. */
  readonly maxRetries?: number | undefined
}
