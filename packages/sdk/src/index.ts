/**
 * The client of an Agio service: its operations, quotes, conversions with a wallet, and subscriptions.
 *
 * @module
 */

export type * from './api/AgioApi.ts'
export { webhookEventTypes } from './api/AgioApi.ts'
export type { CallOptions, Mutation, Query } from './api/procedures.ts'
export type * from './api/schemas.ts'
export type { AgioOptions } from './AgioOptions.ts'
export { createAgio, type Agio } from './createAgio.ts'
export {
  AgioError,
  isAgioError,
  type AgioErrorAction,
  type AgioErrorCode,
  type AgioErrorDetails,
  type AnyAgioError,
} from './errors/AgioError.ts'
export { decodeCalldata, type CalldataField, type ConversionCalldata } from './checks/decodeCalldata.ts'
export type { Conversion } from './conversion/Conversion.ts'
export type { ExpectedRequest } from './conversion/assertExpected.ts'
export type { ConvertOptions, ResumeOptions } from './conversion/ConvertOptions.ts'
export { isSettled, parseStep } from './conversion/Step.ts'
export type { ConversionState, PendingRequest } from './conversion/ConversionState.ts'
export type { Step, StepContent, StepError, StepFields, StepKind, StepStatus } from './conversion/Step.ts'
export type { SuccessfulReceipt } from './conversion/SuccessfulReceipt.ts'
export type { AgioQuote, AgioQuoteData, QuoteRequest } from './quote/AgioQuote.ts'
export type { ChainContracts, PinnedContracts } from './quote/PinnedContracts.ts'
export type { TransactionToWatch, Watches } from './stream/createWatches.ts'
export type { WatchOptions } from './stream/watchTopic.ts'
export type { ReplaceOptions, ReplaceTarget } from './replacement/replaceTransaction.ts'
export type { Eip1193Provider, ViemWalletClient, Wallet, WalletCapabilities } from './wallet/Wallet.ts'
