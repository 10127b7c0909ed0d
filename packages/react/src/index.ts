/**
 * Stablecoin conversions in a React page: a provider, hooks, and a convert card.
 *
 * @module
 */

export { AgioConvert } from './card/AgioConvert.tsx'
export type { PageConversion } from './conversion/PageConversion.ts'
export type { StepStore } from './conversion/storedSteps.ts'
export { explainError, type ErrorTexts } from './errors/explainError.ts'
export { useChain, useMarketHours, usePools, usePrices, useTokens, useTransaction } from './hooks/serviceData.ts'
export { useBalances, type Balances } from './hooks/useBalances.ts'
export { useConversions } from './hooks/useConversions.ts'
export { useConvert, type ConvertState } from './hooks/useConvert.ts'
export type { Polled } from './hooks/usePoll.ts'
export type { LiveOptions } from './hooks/useLivePoll.ts'
export { useQuote } from './hooks/useQuote.ts'
export { useWalletState, type WalletState } from './hooks/useWalletState.ts'
export type { Clock, PollState, Query } from './poll/Poll.ts'
export { queries } from './poll/queries.ts'
export { AgioProvider, useAgio, type AgioContext } from './provider/AgioProvider.tsx'
export type { PriceChange } from './quote/findPriceChange.ts'
export type { QuoteFailure, QuoteView } from './quote/QuoteView.ts'
export type { Locks } from './tabs/runAlone.ts'
export { defaultTexts, type ConvertAction, type Texts } from './texts/texts.ts'
export type { ConvertStatus, ConvertView } from './view/toConvertView.ts'
export type { Finality } from './conversion/toFinality.ts'
