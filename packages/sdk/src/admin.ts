/**
 * The client for operators: API keys, their usage, and pauses of quotes.
 *
 * @module
 */

export type * from './admin/AdminApi.ts'
export type * from './admin/adminSchemas.ts'
export { readAllKeys, type KeyList } from './admin/readAllKeys.ts'
export { createAgioAdmin, type AgioAdmin, type AgioAdminOptions } from './createAgioAdmin.ts'
export {
  AgioError,
  isAgioError,
  type AgioErrorCode,
  type AgioErrorDetails,
  type AnyAgioError,
} from './errors/AgioError.ts'
