export { type Actor, type AuditEvent } from './audit/AuditEvent.ts'
export { type Audit } from './audit/createAudit.ts'
export { type Admission, type Limiter, type Window, type WindowState } from './limit/Limiter.ts'
export { type ObserveCommand } from './limit/createRedisStore.ts'
export { openLimiter } from './limit/openLimiter.ts'
export {
  type ApiKey,
  type KeyApplication,
  type KeyChanges,
  type KeyRestrictions,
  type CreatedKey,
  type KeyRecord,
} from './key/ApiKey.ts'
export { type FoundKey } from './key/createKeyLookup.ts'
export { type Rotated } from './key/secretRotation.ts'
export { type Finish, type ObserveQuery } from './database/Database.ts'
export { type Keys } from './key/createKeys.ts'
export { DataDirInUseError } from './database/lockDataDir.ts'
export { migrateDatabase } from './database/openDatabase.ts'
export { openStore, type Store, type StoreSnapshot } from './openStore.ts'
export { type StoreLog } from './log/StoreLog.ts'
export { requestLogDefaults, type RequestLog } from './requestLog/createRequestLog.ts'
export { type CallRecord, dropReasons, type LoggedCall } from './requestLog/LoggedCall.ts'
export { type Usage } from './usage/createUsage.ts'
export { type KeyDay, type KeyMonth, type OperationCalls, type UsageRow } from './usage/createUsageQueries.ts'
export { type FinishedAttempt } from './webhook/createDeliveryQueue.ts'
export {
  type AttemptResult,
  type ClaimedDelivery,
  type ClaimedTransaction,
  type DeliveryRecord,
  type PoolTradability,
  type Observation,
  type ObservedHead,
  type FollowedTransaction,
  type WebhookEvent,
  type WebhookRecord,
} from './webhook/Webhook.ts'
export { privateKeyPrefix, signAsymmetrically } from './webhook/asymmetricKey.ts'
export { type WebhookStore } from './webhook/openWebhooks.ts'
