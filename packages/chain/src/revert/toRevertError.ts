import { Amount, ServiceError, toTimestamp, type Address, type Token } from '@agio/core'
import { refusePermit } from '../errors/refusePermit.ts'
import type { Revert } from './decodeRevert.ts'
import { dfxRevertReasons } from './dfxRevertReasons.ts'

/**
 * Converts a revert to an error of the service, with the amounts that the contract reported. The revert message of another
 * contract gets the code of our error for the same reason, with the amounts of the conversion. A missing balance or allowance
 * gets a code of its own only if it is the sender's.
 *
 * @param conversion the conversion that reverted: its parties, its tokens and its amounts
 */
export function toRevertError(revert: Revert, conversion: toRevertError.Conversion = {}): ServiceError {
  const reason = revert.name === 'Error' ? findReason(revert.args[0] ?? '', conversion) : undefined
  const { name, args } = reason === undefined ? revert : { name: reason, args: [] }
  if (isMissingFunds(name) && !isOfSender(name, args[0] ?? '', conversion)) return toReverted(revert)
  return namedErrors.get(name)?.(args, conversion) ?? toReverted(revert)
}

export declare namespace toRevertError {
  type Conversion = {
    /** The sender and the receiver of the transaction. */
    readonly from?: Address | undefined
    readonly to?: Address | undefined
    /** What the receiver is. A router may convert through two pools. */
    readonly target?: 'router' | 'pool' | undefined
    readonly tokenIn?: Token | undefined
    readonly tokenOut?: Token | undefined
    /** Raw units of the input token. */
    readonly amountInRaw?: bigint | undefined
    /** Raw units of the input token, of a conversion for an exact output. */
    readonly maxAmountInRaw?: bigint | undefined
    /** Raw units of the output token. */
    readonly minAmountOutRaw?: bigint | undefined
    /** The signature that pays, if one does. */
    readonly permit?: { readonly kind: 'permit' | 'permit2' } | undefined
  }
}

/** The name of the error for the same reason as a revert message. */
function findReason(message: string, { permit }: toRevertError.Conversion): string | undefined {
  // Permit2 replaces the token's error, for a missing balance too.
  if (permit?.kind === 'permit2' && message === 'TRANSFER_FROM_FAILED') return 'ERC20InsufficientAllowance'
  return dfxRevertReasons.get(message)
}

type ToError = (args: readonly string[], conversion: toRevertError.Conversion) => ServiceError

/** The error for each revert of our contracts, of Permit2, of ERC-6093 and of ERC-2612, from its arguments, of which a revert message has none. */
const namedErrors: ReadonlyMap<string, ToError> = new Map<string, ToError>([
  ['StalePrice', toStalePrice],
  ['InvalidPrice', toInvalidPrice],
  ['AboveMaxOrigin', toAboveMaxOrigin],
  ['NoConvergence', toNoConvergence],
  ['BelowMinTarget', toBelowMinTarget],
  ['AboveMaxInput', toAboveMaxInput],
  ['ERC20InsufficientBalance', (...of) => toInsufficient('svc/insufficient-balance', ...of)],
  ['ERC20InsufficientAllowance', (...of) => toInsufficient('svc/insufficient-allowance', ...of)],
  ['Frozen', () => new ServiceError('svc/pool-frozen', 'Cannot convert: the pool is frozen by its owner', {})],
  ['DeadlinePassed', toDeadlinePassed],
  ['ZeroAmount', toAmountTooSmall],
  ['NoPath', toNoRoute],
  ['UnsupportedOrigin', (_, { tokenIn }) => toUnsupported('tokenIn', tokenIn?.address)],
  ['UnsupportedTarget', (_, { tokenOut }) => toUnsupported('tokenOut', tokenOut?.address)],
  [
    'UnsupportedToken',
    ([token], { tokenOut }) => toUnsupported(token === tokenOut?.address ? 'tokenOut' : 'tokenIn', token),
  ],
  ['SignatureExpired', () => refusePermit('deadline')],
  ['InvalidNonce', () => refusePermit('nonce')],
  ['InvalidAmount', () => refusePermit('amount')],
  ['InvalidSigner', () => refusePermit('signer')],
  ['InvalidSignature', () => refusePermit('signer')],
  ['InvalidSignatureLength', () => refusePermit('signer')],
  ['InvalidContractSignature', () => refusePermit('signer')],
  ['ERC2612ExpiredSignature', () => refusePermit('deadline')],
  ['ERC2612InvalidSigner', () => refusePermit('signer')],
  ['CooldownActive', toFaucetCooldown],
  ['FaucetDry', toFaucetDry],
])

function toReverted(revert: Revert): ServiceError {
  const message = `Cannot run the transaction: the contract reverts with ${revert.name}(${revert.args.join(', ')})`
  return new ServiceError('svc/reverted', message, { revert })
}

function isMissingFunds(name: string): boolean {
  return name === 'ERC20InsufficientBalance' || name === 'ERC20InsufficientAllowance'
}

/** Whether the balance, or the allowance for the called contract, is the sender's. A revert message names no account. */
function isOfSender(name: string, subject: string, { from, to }: toRevertError.Conversion): boolean {
  if (from === undefined) return false
  return subject === '' || subject === (name === 'ERC20InsufficientBalance' ? from : to)
}

function toStalePrice([oracle = '', updated = '', maxAge = '']: readonly string[]): ServiceError {
  const message = `Cannot price the conversion: oracle ${oracle} has had no valid answer for more than ${maxAge} s`
  const updatedAt = toTimestamp(BigInt(updated))
  return new ServiceError('svc/stale-price', message, { oracle, updatedAt, maxAgeSeconds: Number(maxAge) })
}

function toInvalidPrice([oracle = '', answer = '']: readonly string[]): ServiceError {
  const message = `Cannot price the conversion: oracle ${oracle} reports ${answer}`
  return new ServiceError('svc/stale-price', message, { oracle, updatedAt: toTimestamp(0n), maxAgeSeconds: 0 })
}

function toDeadlinePassed([deadline = '']: readonly string[]): ServiceError {
  const subject = `the deadline ${deadline}`.trim()
  return new ServiceError('svc/deadline-passed', `Cannot convert: ${subject} is not after the block`, {})
}

function toAmountTooSmall(): ServiceError {
  return new ServiceError('svc/amount-too-small', 'Cannot convert this amount: the output after the fee is zero', {})
}

function toNoRoute(): ServiceError {
  return new ServiceError('svc/no-route', 'Cannot convert: the router finds no pools that connect the tokens', {})
}

function toFaucetCooldown([until = '']: readonly string[]): ServiceError {
  const nextClaimAt = toTimestamp(BigInt(until))
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(nextClaimAt) - Date.now()) / 1000))
  const message = `Cannot claim: the user has claimed already; the next claim is possible at ${nextClaimAt}`
  return new ServiceError('svc/faucet-cooldown', message, { nextClaimAt, retryAfterSeconds })
}

function toFaucetDry([token = '']: readonly string[]): ServiceError {
  return new ServiceError('svc/faucet-dry', `Cannot claim: the faucet has run out of ${token}`, { token })
}

function toAboveMaxOrigin([paid, limit]: readonly string[], conversion: toRevertError.Conversion): ServiceError {
  const { tokenIn, target, maxAmountInRaw } = conversion
  // The second of two pools reports its limit in the token between them, which is not comparable with the input token. The
  // input for an exact output, which would show which pool it is, is unknown.
  const isOfAnyPool = maxAmountInRaw !== undefined && target !== 'pool'
  const { amountInRaw = isOfAnyPool ? undefined : toRaw(paid) } = conversion
  const isOfFirst = amountInRaw !== undefined && toRaw(paid) === amountInRaw
  const details = {
    amountIn: format(amountInRaw, tokenIn),
    maxAmountIn: isOfFirst ? format(toRaw(limit), tokenIn) : undefined,
  }
  const { amountIn = 'the amount', maxAmountIn } = details
  const state =
    maxAmountIn === undefined ? 'it is more than a pool takes now' : `the pool takes at most ${maxAmountIn} now`
  return new ServiceError('svc/above-max-origin', `Cannot convert ${amountIn}: ${state}`, details)
}

function toNoConvergence(_: readonly string[], { tokenIn, amountInRaw }: toRevertError.Conversion): ServiceError {
  const amountIn = format(amountInRaw, tokenIn)
  const message = `Cannot convert ${amountIn ?? 'the amount'}: the curve of the pool has no price for this amount`
  return new ServiceError('svc/no-convergence', message, { amountIn })
}

function toBelowMinTarget(
  [paid, least]: readonly string[],
  { tokenOut, minAmountOutRaw = toRaw(least) }: toRevertError.Conversion,
): ServiceError {
  const details = { amountOut: format(toRaw(paid), tokenOut), minAmountOut: format(minAmountOutRaw, tokenOut) }
  const output = `the output ${withSymbol(details.amountOut, tokenOut) ?? ''}`.trim()
  const minimum = `the requested minimum ${withSymbol(details.minAmountOut, tokenOut) ?? ''}`.trim()
  return new ServiceError('svc/below-min-target', `Cannot convert: ${output} is below ${minimum}`, details)
}

function toAboveMaxInput(
  [needed, most]: readonly string[],
  { tokenIn, maxAmountInRaw = toRaw(most) }: toRevertError.Conversion,
): ServiceError {
  // The second of two pools reports amounts in the token between them.
  const isOfFirst = toRaw(most) === maxAmountInRaw
  const details = {
    amountIn: isOfFirst ? format(toRaw(needed), tokenIn) : undefined,
    maxAmountIn: format(maxAmountInRaw, tokenIn),
  }
  const input = `the input ${withSymbol(details.amountIn, tokenIn) ?? ''}`.trim()
  const maximum = `the requested maximum ${withSymbol(details.maxAmountIn, tokenIn) ?? ''}`.trim()
  return new ServiceError('svc/above-max-input', `Cannot convert: ${input} is above ${maximum}`, details)
}

function toInsufficient(
  code: 'svc/insufficient-balance' | 'svc/insufficient-allowance',
  [, has, needs]: readonly string[],
  { tokenIn, target = 'router', amountInRaw, permit }: toRevertError.Conversion,
): ServiceError {
  const details = { required: format(toRaw(needs) ?? amountInRaw, tokenIn), current: format(toRaw(has), tokenIn) }
  const subject = code === 'svc/insufficient-balance' ? 'the wallet holds' : `the ${target} may spend`
  const required = withSymbol(details.required, tokenIn) ?? 'the amount'
  const current = withSymbol(details.current, tokenIn)
  // Permit2 reports neither amount, nor which of both is missing.
  if (permit?.kind === 'permit2' && current === undefined) {
    const message = `Cannot convert: the allowance of the wallet for Permit2, or its balance, is less than ${required}`
    return new ServiceError(code, message, details)
  }
  const state = current === undefined ? `less than ${required}` : `${current} and needs ${required}`
  return new ServiceError(code, `Cannot convert: ${subject} ${state}`, details)
}

function toUnsupported(field: string, token: string | undefined): ServiceError {
  const message = `Cannot use token ${token ?? field}: the pool that the router uses does not hold it`
  return new ServiceError('svc/unsupported-token', message, { field, value: token })
}

function toRaw(argument: string | undefined): bigint | undefined {
  return argument === undefined ? undefined : BigInt(argument)
}

function format(raw: bigint | undefined, token: Token | undefined): string | undefined {
  if (raw === undefined) return undefined
  return token ? Amount.format(raw, token.decimals) : raw.toString()
}

/** An amount with its token's symbol, for a message; undefined if the amount is unknown. */
function withSymbol(amount: string | undefined, token: Token | undefined): string | undefined {
  return amount !== undefined && token ? `${amount} ${token.symbol}` : amount
}
