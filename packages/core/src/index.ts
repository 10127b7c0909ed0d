/** Amounts: decimals of a token as raw units, and back. */
export * as Amount from './amount/Amount.ts'
/** A mutex, time limits, batches and a notifier. */
export * as Async from './async/Async.ts'
/** A client that waits for a response, and may disconnect. */
export * as Client from './client/Client.ts'
/** The time that callers see. */
export * as Clock from './time/Clock.ts'
/** Explains the difference between a conversion and the oracle prices. */
export * as Conversion from './conversion/Conversion.ts'
/** The maths of DFX pools, bit by bit as their contracts compute. */
export * as Curve from './curve/Curve.ts'
export { CurveRevert } from './curve/CurveRevert.ts'
/** Calendar days in UTC. */
export * as Day from './time/Day.ts'
export {
  errorCatalogue,
  errorClasses,
  errorCodes,
  permitRefusals,
  priceRefusals,
  type ErrorClass,
  type ErrorCode,
  type ErrorDetails,
  type PermitRefusal,
  type PriceRefusal,
} from './errors/errorCatalogue.ts'
export { formatErrorCatalogue } from './errors/formatErrorCatalogue.ts'
/** One constructor for each error of the service. */
export * as Errors from './errors/Errors.ts'
/** Fees as percent. */
export * as Fee from './conversion/Fee.ts'
/** 64.64 fixed-point numbers, as in the library of DFX pools. */
export * as FixedPoint from './curve/FixedPoint.ts'
/** A swap through one pool, in one direction. */
export * as Hop from './pool/Hop.ts'
/** Integer maths. */
export * as Integer from './integer/Integer.ts'
export { isObject } from './json/isObject.ts'
/** The opening hours of markets. */
export * as Market from './market/Market.ts'
/** Calendar months in UTC. */
export * as Month from './time/Month.ts'
/** The supported networks. */
export * as Network from './network/Network.ts'
/** The operators of the service and their roles. */
export * as Operator from './operator/Operator.ts'
/** The origins of pages, as browsers send them. */
export * as Origin from './key/Origin.ts'
/** The price of a token at one block. */
export * as OraclePrice from './pool/OraclePrice.ts'
/** The state of a pool at one block, and searches in a list of pools. */
export * as Pool from './pool/Pool.ts'
/** Errors of a pool, with its tokens and amounts. */
export * as PoolErrors from './pool/PoolErrors.ts'
/** Why a pool does not convert at a price. */
export * as PriceFault from './pool/PriceFault.ts'
/** The maths of our own pools. */
export * as PoolMath from './pool/PoolMath.ts'
/** The prices and fees of a route, as a quote carries them. */
export * as PricedRoute from './route/PricedRoute.ts'
/** Exchange rates as decimals. */
export * as Rate from './amount/Rate.ts'
/** The pools of a conversion, and what the conversion pays. */
export * as Route from './route/Route.ts'
/** Weekly market hours, parsed from text. */
export * as Schedule from './market/Schedule.ts'
/** What an API key may use. */
export * as Scope from './key/Scope.ts'
export { ServiceError } from './errors/ServiceError.ts'
/** Limits of a quote, and the slippage of a conversion. */
export * as Slippage from './conversion/Slippage.ts'
/** Prices a hop by the maths of its pool. */
export * as Swap from './pool/Swap.ts'
/** The limits of API keys. */
export * as Tier from './tier/Tier.ts'
/** Times of blocks as ISO 8601. */
export * as Timestamp from './time/Timestamp.ts'
export { formatSymbol, toSafeSymbol, toSafeText } from './errors/formatSymbol.ts'
export { toSafeEcho } from './errors/toSafeEcho.ts'
export type { Address, Token } from './token/Token.ts'
/** The states of a transaction, and the transitions between them. */
export * as TransactionState from './transaction/TransactionState.ts'
