export type * from './api/AgioApi.ts'
export type { CallOptions, Mutation, Query } from './api/procedures.ts'
export type * from './api/schemas.ts'
export type { AgioOptions } from './client/AgioOptions.ts'
export { createAgio, type Agio } from './createAgio.ts'
export {
  AgioError,
  isAgioError,
  type AgioErrorAction,
  type AgioErrorCode,
  type AgioErrorDetails,
  type AnyAgioError,
} from './errors/AgioError.ts'
export type { Conversion } from './convert/Conversion.ts'
export type { ConvertOptions, ResumeOptions } from './convert/ConvertOptions.ts'
export { isSettled } from './convert/isSettled.ts'
export { parseStep } from './convert/parseStep.ts'
export type { ConversionState, PendingRequest } from './convert/ConversionState.ts'
export type { Step, StepContent, StepError, StepFields, StepKind, StepStatus } from './convert/Step.ts'
export type { SuccessfulReceipt } from './convert/SuccessfulReceipt.ts'
export type { AgioQuote, AgioQuoteData, QuoteRequest } from './quote/AgioQuote.ts'
export type { TransactionToWatch, Watches } from './watch/createWatches.ts'
export type { WatchOptions } from './watch/WatchOptions.ts'
export type { ReplaceOptions, ReplaceTarget } from './replace/replaceTransaction.ts'
export type { Eip1193Provider, ViemWalletClient, Wallet } from './wallet/Wallet.ts'
