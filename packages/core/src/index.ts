export * as Amount from './amount/Amount.ts'
export * as Day from './time/Day.ts'
export * as Month from './time/Month.ts'
export * as Rate from './amount/Rate.ts'
export * as TransactionState from './transaction/TransactionState.ts'
export { toGeometricSteps } from './amount/toGeometricSteps.ts'
export { assertConnected, untilAborted, type Client } from './abort/untilAborted.ts'
export { createMutex } from './async/createMutex.ts'
export { createNotifier } from './async/createNotifier.ts'
export { analyseConversion } from './conversion/analyseConversion.ts'
export { explainConversion, type ConversionMode } from './conversion/explainConversion.ts'
export { formatFee } from './conversion/formatFee.ts'
export { formatImpact } from './conversion/formatImpact.ts'
export { formatSlippage } from './conversion/formatSlippage.ts'
export { recommendMinAmountOut } from './conversion/recommendMinAmountOut.ts'
export { routeFeeRate } from './conversion/routeFeeRate.ts'
export { toMaxAmountIn } from './conversion/toMaxAmountIn.ts'
export { toMinAmountOut } from './conversion/toMinAmountOut.ts'
export type { CurveParameters, CurveSide, CurveState } from './curve/CurveState.ts'
export { CurveRevert, fixedOne, type CurveRefusal } from './curve/fixedPoint.ts'
export { executeCurve, viewCurve, viewCurveInput, type CurveSwap } from './curve/quoteCurve.ts'
export {
  errorCatalogue,
  errorCodes,
  permitRefusals,
  type ErrorCode,
  type ErrorDetails,
  type PermitRefusal,
} from './errors/errorCatalogue.ts'
export * as Errors from './errors/Errors.ts'
export { ServiceError } from './errors/ServiceError.ts'
export { toSafeEcho } from './errors/toSafeEcho.ts'
export { ceilDiv } from './integer/integers.ts'
export { isObject } from './json/isObject.ts'
export { limitsOf, streamLimitOf, tierNames, tiers, type Limits, type Tier } from './limits/tiers.ts'
export {
  chainIds,
  chainNames,
  defaultChainId,
  defaultFirstRpcPort,
  getNetwork,
  isChainId,
  mapChains,
  networks,
  toLocalRpcPort,
  type ChainId,
} from './networks.ts'
export { type MarketHours } from './market/findMarketHours.ts'
export { getMarketHours, isMarketOpen } from './market/getMarketHours.ts'
export { parseSchedule, type Schedule } from './market/Schedule.ts'
export { aboveLimit, amountTooSmall, assertQuotable } from './pool/assertQuotable.ts'
export { findMaxAmountIn } from './pool/findMaxAmountIn.ts'
export { getMaxOrigin } from './pool/getMaxOrigin.ts'
export { isPriceFresh, type OraclePrice } from './pool/OraclePrice.ts'
export { toHop, type Hop } from './pool/Hop.ts'
export { type PoolSide, type PoolState, type Pricing } from './pool/PoolState.ts'
export { quoteExactIn } from './pool/quoteExactIn.ts'
export { quoteExactOut } from './pool/quoteExactOut.ts'
export { quoteOutput, withoutConvergence } from './pool/quoteOutput.ts'
export { valueAtOracle } from './pool/valueAtOracle.ts'
export { findPool } from './route/poolIndex.ts'
export { getQuoteForWorstCase, getWorstCaseOut } from './route/getWorstCaseOut.ts'
export { listSchedules } from './route/listSchedules.ts'
export { getMaxRouteIn } from './route/getMaxRouteIn.ts'
export { getMinRouteIn } from './route/getMinRouteIn.ts'
export { toHopPricing, toPricedHops, type PricedHop, type PricedRoute } from './route/PricedHop.ts'
export { findRouteInput, type RouteInput } from './route/findRouteInput.ts'
export { quoteRoute } from './route/quoteRoute.ts'
export { quoteRouteExactOut } from './route/quoteRouteExactOut.ts'
export {
  findConversionRoute,
  getOrigin,
  getTarget,
  mapHops,
  maxHops,
  reverseRoute,
  type ConversionRoute,
} from './route/Route.ts'
export { valueAtOracles } from './route/valueAtOracles.ts'
export { toTimestamp } from './time/toTimestamp.ts'
export { type Address, type Token } from './token/Token.ts'
