import type { ErrorDetails } from './errorCatalogue.ts'
import { formatSymbol, formatText } from './formatSymbol.ts'
import { ServiceError, type Refusal } from './ServiceError.ts'

/**
 * Returns the error for a price that does not count.
 *
 * @param options `subject` is the token or pool without a price; `state` is the fault of the oracle, by default the age of
 * its last valid answer
 */
export function stalePrice({ subject = 'the conversion', state, ...details }: StalePrice) {
  const { oracle, maxAgeSeconds, opensAt } = details
  const fault = state ?? `has had no valid answer for more than ${maxAgeSeconds} s`
  const hours = opensAt === undefined ? '' : `; its market is closed until ${opensAt}`
  return new ServiceError('svc/stale-price', `Cannot price ${subject}: oracle ${oracle} ${fault}${hours}`, details)
}

type StalePrice = ErrorDetails<'svc/stale-price'> & {
  readonly subject?: string | undefined
  readonly state?: string | undefined
}

/** Returns the error for a reference token whose price is outside of its band. */
export function referenceDepegged({ subject = 'the conversion', ...details }: ReferenceDepegged) {
  const { feed, answer, minAnswer, maxAnswer } = details
  const state = `${feed} reports ${answer} dollars, outside of ${minAnswer} to ${maxAnswer}`
  const message = `Cannot price ${subject}: the reference token is not worth a dollar, feed ${state}`
  return new ServiceError('svc/reference-depegged', message, details)
}

type ReferenceDepegged = ErrorDetails<'svc/reference-depegged'> & { readonly subject?: string | undefined }

/**
 * Returns the error for an amount above a limit.
 *
 * @param options `amountIn` and `maxAmountIn` are decimals of the token with this symbol; they are absent if unknown
 */
export function aboveMaxOrigin({ symbol, action = 'convert', reason, ...details }: AboveMaxOrigin) {
  const { amountIn, maxAmountIn } = details
  const limit = maxAmountIn === undefined ? 'it is above the limit' : `the limit is ${withSymbol(maxAmountIn, symbol)}`
  const amount = amountIn === undefined ? 'the amount' : withSymbol(amountIn, symbol)
  return new ServiceError('svc/above-max-origin', `Cannot ${action} ${amount}: ${reason ?? limit}`, details)
}

type AboveMaxOrigin = ErrorDetails<'svc/above-max-origin'> & Partial<Refusal> & { readonly symbol?: string | undefined }

/** Returns the error for an amount for which the iteration of a pool's curve does not converge. */
export function noConvergence({ symbol, ...details }: NoConvergence) {
  const { amountIn, nearestAmountIn } = details
  const amount = amountIn === undefined ? 'the amount' : withSymbol(amountIn, symbol)
  const nearest =
    nearestAmountIn === undefined ? '' : `; the nearest amount with a price is ${withSymbol(nearestAmountIn, symbol)}`
  const message = `Cannot convert ${amount}: the curve of the pool has no price for this amount${nearest}`
  return new ServiceError('svc/no-convergence', message, details)
}

type NoConvergence = ErrorDetails<'svc/no-convergence'> & { readonly symbol?: string | undefined }

/**
 * Returns the error for an output below the requested minimum.
 *
 * @param options `verb` is `may be` if the pools may pay less than the output
 */
export function belowMinTarget({ symbol, verb = 'is', ...details }: BelowMinTarget) {
  const output = withAmount('the output', details.amountOut, symbol)
  const minimum = withAmount('the requested minimum', details.minAmountOut, symbol)
  return new ServiceError('svc/below-min-target', `Cannot convert: ${output} ${verb} below ${minimum}`, details)
}

type BelowMinTarget = ErrorDetails<'svc/below-min-target'> & {
  readonly symbol?: string | undefined
  readonly verb?: 'is' | 'may be'
}

/** Returns the error for an input above the requested maximum. */
export function aboveMaxInput({ symbol, ...details }: AboveMaxInput) {
  const input = withAmount('the input', details.amountIn, symbol)
  const maximum = withAmount('the requested maximum', details.maxAmountIn, symbol)
  return new ServiceError('svc/above-max-input', `Cannot convert: ${input} is above ${maximum}`, details)
}

type AboveMaxInput = ErrorDetails<'svc/above-max-input'> & { readonly symbol?: string | undefined }

/**
 * Returns the error for two tokens that no pools connect.
 *
 * @param tokens absent for a revert of the router, which does not name the tokens
 */
export function noRoute(tokens?: { readonly tokenIn: string; readonly tokenOut: string }) {
  const pair = tokens === undefined ? 'the tokens' : `${tokens.tokenIn} into ${tokens.tokenOut}`
  return new ServiceError('svc/no-route', `Cannot convert ${pair}: no pools connect them`, {})
}

/**
 * Returns the error for a frozen pool.
 *
 * @param options `pool` is the address, if it is known; `action` is a conversion by default; `reason` is a decision of
 * the owner or guardian by default
 */
export function poolFrozen({
  pool,
  action = 'convert through',
  reason = 'its owner or guardian has frozen it',
}: Partial<Refusal> & { readonly pool?: string } = {}) {
  const name = pool === undefined ? 'the pool' : `pool ${pool}`
  return new ServiceError('svc/pool-frozen', `Cannot ${action} ${name}: ${reason}`, {})
}

/**
 * Returns the error for a deadline that is not after the newest block.
 *
 * @param options `blockSeconds` is absent if a contract reports the error, because contracts do not report their time
 */
export function deadlinePassed({
  deadline = '',
  blockSeconds,
}: {
  readonly deadline?: string | undefined
  readonly blockSeconds?: bigint
}) {
  const block = blockSeconds === undefined ? 'the block' : `the newest block, whose time is ${blockSeconds}`
  const subject = `the deadline ${deadline}`.trim()
  return new ServiceError('svc/deadline-passed', `Cannot convert: ${subject} is not after ${block}`, {})
}

/** Returns the error for an amount that rounding and the fee reduce to zero. */
export function amountTooSmall({
  action = 'convert this amount',
  reason = 'the output after the fee is zero',
}: Partial<Refusal> = {}) {
  return new ServiceError('svc/amount-too-small', `Cannot ${action}: ${reason}`, {})
}

/** Returns the error for a recipient that a contract, named by `callee`, cannot pay. */
export function recipientUnsupported({ recipient, callee }: { readonly recipient: string; readonly callee: string }) {
  const message = `Cannot pay ${recipient}: ${callee} pays the sender only`
  return new ServiceError('svc/recipient-unsupported', message, { field: 'recipient' })
}

// The error has the whole argument as `revert`.
const maxArgumentLength = 100

/** Returns the error for a revert without its own error code. */
export function reverted({
  action,
  contract,
  revert,
}: ErrorDetails<'svc/reverted'> & Pick<Refusal, 'action'> & { readonly contract: string }) {
  const args = revert.args.map((arg) => formatText(arg, maxArgumentLength))
  const reason = `${revert.name}(${args.join(', ')})`
  return new ServiceError('svc/reverted', `Cannot ${action}: ${contract} reverts with ${reason}`, { revert })
}

function withSymbol(amount: string, symbol: string | undefined): string {
  return symbol === undefined ? amount : `${amount} ${formatSymbol(symbol)}`
}

function withAmount(name: string, amount: string | undefined, symbol: string | undefined): string {
  return amount === undefined ? name : `${name} ${withSymbol(amount, symbol)}`
}
