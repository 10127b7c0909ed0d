/**
 * What the console of the service uses of this package. It is not published.
 *
 * @module
 */

export * as Decimal from './amount/Decimal.ts'
export { parseAmountText, type AmountText } from './amount/parseAmountText.ts'
export { toConversionTitle, toNewRequest } from './conversion/conversionQuote.ts'
export { explainSkipped, toStepStatus, toStepTitle } from './conversion/describeStep.ts'
export { listRows } from './conversion/listRows.ts'
export type { ConversionsState, PageConversion } from './conversion/PageConversion.ts'
export { hasEnded, isAccountOf } from './conversion/stepRules.ts'
export { pending, quote, toStep } from './conversion/testSteps.ts'
export { toOutlook, type NextAction, type Outlook } from './conversion/toOutlook.ts'
export { explainError, toErrorTitle } from './errors/explainError.ts'
export { findAgioError } from './errors/findAgioError.ts'
export { toFailure, type Failure } from './errors/toFailure.ts'
export { toRetryDelayMs } from './errors/toRetryDelayMs.ts'
export { useAccepted } from './hooks/useAccepted.ts'
export { AgioProvider, useAgio } from './provider/AgioProvider.tsx'
export type { PriceChange } from './quote/findPriceChange.ts'
export { choosePair, findPair, selectToken, swapTokens, type Pair, type Side } from './quote/pair.ts'
export { confirmMs, idleAfterMs, judgeValidity, validForSeconds } from './quote/validity.ts'
export { createRunAlone } from './tabs/runAlone.ts'
export { useDebounced } from './time/useDebounced.ts'
export { useIsActive } from './time/useIsActive.ts'
export { useNow } from './time/useNow.ts'
export { isInChain, nameFinality, toFinality, type Finality } from './conversion/toFinality.ts'
