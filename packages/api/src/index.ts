export { resolveAddress } from './admission/resolveAddress.ts'
export { type Health, version } from './health/toHealth.ts'
export {
  splitUrl,
  type ClientConnection,
  type HttpHeaders,
  type HttpRequest,
  type UnreadRequest,
} from './http/HttpExchange.ts'
export { type RequestTrace, type TracedRequest, type Tracing } from './http/RequestTrace.ts'
export { answerWhileStarting } from './edge/answerWhileStarting.ts'
export { createApp, type App, type AppHandlers } from './edge/createApp.ts'
export { countCalls } from './edge/procedureNames.ts'
export { type HttpReply } from './http/HttpReply.ts'
export { maxBodyBytes } from './http/readBody.ts'
export { appRouter, type AppRouter } from './router/appRouter.ts'
export { limitKinds, type Log, type Metrics } from './settings/AppSettings.ts'
export { type ConsoleLocalStack } from './settings/ConsoleSource.ts'
export type { DocsAsset, DocsSource } from './settings/DocsSource.ts'
export { type LocalHandler } from './settings/LocalHandler.ts'
export { streamEnds } from './stream/createStreamNotifier.ts'
export { type Context } from './procedure/Context.ts'
export { observePools } from './webhooks/observePools.ts'
export { maxFollowedMs, observeTransaction } from './webhooks/observeTransaction.ts'
export { findAddress, isPublicAddress } from './webhooks/receiverUrl.ts'
