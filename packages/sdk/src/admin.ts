/**
 * The client for operators: API keys, their usage, pauses of quotes and the audit log.
 *
 * @module
 */

export type * from './admin/AdminApi.ts'
export type * from './admin/adminSchemas.ts'
export { readAllKeys, type KeyList } from './admin/readAllKeys.ts'
export {
  verifyAuditLog,
  type AuditFault,
  type AuditLink,
  type AuditOptions,
  type AuditVerification,
  type KnownAudit,
} from './admin/verifyAuditLog.ts'
export { createAgioAdmin, type AgioAdmin, type AgioAdminOptions } from './createAgioAdmin.ts'
export {
  AgioError,
  isAgioError,
  type AgioErrorCode,
  type AgioErrorDetails,
  type AnyAgioError,
} from './errors/AgioError.ts'
