/**
 * The type of the service's tRPC router, for clients without this package's client.
 *
 * @module
 */

export type { AgioErrorData, AppRouter, WatchData } from './trpc/AppRouter.ts'
