import { Amount, Errors, PriceFault, type Address, type PermitRefusal, type ServiceError, type Token } from '@agio/core'
import { type Revert, decodeRevert } from './decodeRevert.ts'
import { findErrorName } from './dfxRevertReasons.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toPriceFault } from './toPriceFault.ts'

/**
 * Converts a revert to an error of the service, with the amounts that the contract reported. The revert message of
 * another contract gets the code of our error for the same reason, with the amounts of the conversion. A missing
 * balance or allowance gets its own code only if it is the sender's. A message about a stale price gets its code only if
 * the pools of the conversion have one.
 *
 * @param conversion the conversion that reverted: its parties, its tokens and its amounts
 */
export function toRevertError(revert: Revert, conversion: toRevertError.Conversion = {}): ServiceError {
  const reason = revert.name === 'Error' ? findReason(revert.args[0] ?? '', conversion) : undefined
  const { name, args } = reason === undefined ? revert : { name: reason, args: [] }
  if (isMissingFunds(name) && !isOfSender(name, args[0] ?? '', conversion)) return toReverted(revert)
  if (reason === 'StalePrice') return findStalePrice(conversion) ?? toReverted(revert)
  if (refusals.has(reason)) return conversion.refusal ?? findPaused(reason, conversion) ?? toReverted(revert)
  const fault = toPriceFault({ name, args })
  if (fault) return PriceFault.toError(fault)
  return namedErrors.get(name)?.(args, conversion) ?? toReverted(revert)
}

export declare namespace toRevertError {
  type Conversion = {
    /** The sender and the receiver of the transaction. */
    readonly from?: Address | undefined
    readonly to?: Address | undefined
    /** Whether the receiver is a router or a pool. A router may convert through two pools. */
    readonly target?: 'router' | 'pool' | undefined
    /** The token between two pools. A router converts through one pool if one of the two tokens is this one. */
    readonly quoteToken?: Address | undefined
    readonly tokenIn?: Token | undefined
    readonly tokenOut?: Token | undefined
    /** Raw units of the input token. */
    readonly amountInRaw?: bigint | undefined
    /** Raw units of the input token, for a conversion with an exact output. */
    readonly maxAmountInRaw?: bigint | undefined
    /** Raw units of the output token. */
    readonly minAmountOutRaw?: bigint | undefined
    /** The time of the newest block, in seconds since 1970. The cooldown of a faucet counts from it. */
    readonly blockSeconds?: bigint | undefined
    /** The token that the transaction calls itself, if it is not a conversion. */
    readonly token?: Address | undefined
    /** The account that is paid; the sender by default. */
    readonly recipient?: Address | undefined
    /** Why a token refuses the transfers, as the token itself says. A revert names neither the token nor the account. */
    readonly refusal?: ServiceError | undefined
    /** Finds the error of a stale price of the pools that may convert one token into another. A message names no price. */
    readonly findStalePrice?: ((tokenIn: Address, tokenOut: Address) => ServiceError | undefined) | undefined
    /** The kind of the signature that the conversion uses instead of an allowance, if any. */
    readonly permit?: { readonly kind: 'permit' | 'permit2' } | undefined
  }
}

/** Returns the name of the error that has the same reason as a revert message. */
function findReason(message: string, { permit }: toRevertError.Conversion): string | undefined {
  // Permit2 replaces the token's error, even for a missing balance.
  if (permit?.kind === 'permit2' && message === 'TRANSFER_FROM_FAILED') return 'ERC20InsufficientAllowance'
  return findErrorName(message)
}

type ToError = (args: readonly string[], conversion: toRevertError.Conversion) => ServiceError

/** Why Permit2 or a token refuses a signature, by the name of its error. */
export const permitRefusals: ReadonlyMap<string, PermitRefusal> = new Map([
  ['SignatureExpired', 'deadline'],
  ['InvalidNonce', 'nonce'],
  ['InvalidAmount', 'amount'],
  ['InvalidSigner', 'signer'],
  ['InvalidSignature', 'signer'],
  ['InvalidSignatureLength', 'signer'],
  ['InvalidContractSignature', 'signer'],
  ['ERC2612ExpiredSignature', 'deadline'],
  ['ERC2612InvalidSigner', 'signer'],
])

/**
 * The error for each revert of our contracts, of Permit2, of ERC-6093 and of ERC-2612, created from the revert's
 * arguments. A revert message has no arguments.
 */
const namedErrors: ReadonlyMap<string, ToError> = new Map<string, ToError>([
  ['AboveMaxOrigin', toAboveMaxOrigin],
  ['NoConvergence', toNoConvergence],
  ['BelowMinTarget', toBelowMinTarget],
  ['AboveMaxInput', toAboveMaxInput],
  ['ERC20InsufficientBalance', (...of) => Errors.insufficientBalance(toInsufficient(...of))],
  ['ERC20InsufficientAllowance', (args, conversion) => toInsufficientAllowance(args, conversion)],
  ['Frozen', () => Errors.poolFrozen()],
  ['DeadlinePassed', ([deadline]) => Errors.deadlinePassed({ deadline })],
  ['ZeroAmount', () => Errors.amountTooSmall()],
  ['NoPath', () => Errors.noRoute()],
  ['UnsupportedOrigin', (_, { tokenIn }) => toUnsupported('tokenIn', tokenIn?.address)],
  ['UnsupportedTarget', (_, { tokenOut }) => toUnsupported('tokenOut', tokenOut?.address)],
  [
    'UnsupportedToken',
    ([token], { tokenOut }) => toUnsupported(token === tokenOut?.address ? 'tokenOut' : 'tokenIn', token),
  ],
  ...[...permitRefusals].map(([name, reason]) => [name, () => Errors.invalidPermit({ reason })] as const),
  ['CooldownActive', toFaucetCooldown],
  ['FaucetDry', ([token = '']) => Errors.faucetDry({ token })],
])

function toReverted(revert: Revert): ServiceError {
  return Errors.reverted({ action: 'run the transaction', contract: 'the contract', revert })
}

/** Returns whether a token reverts because of its issuer: it is paused, or has blocked an account. */
export function isTokenRefusal({ name, args }: Revert): boolean {
  return name === 'Error' && refusals.has(findErrorName(args[0] ?? ''))
}

const refusals: ReadonlySet<string | undefined> = new Set(['AccountBlocked', 'TokenPaused'])

function findPaused(reason: string | undefined, { token }: toRevertError.Conversion): ServiceError | undefined {
  return reason === 'TokenPaused' && token !== undefined ? Errors.tokenPaused({ token }) : undefined
}

function findStalePrice({
  tokenIn,
  tokenOut,
  findStalePrice: find,
}: toRevertError.Conversion): ServiceError | undefined {
  return tokenIn && tokenOut && find?.(tokenIn.address, tokenOut.address)
}

function isMissingFunds(name: string): boolean {
  return name === 'ERC20InsufficientBalance' || name === 'ERC20InsufficientAllowance'
}

/**
 * Returns whether the balance, or the allowance for the called contract, is the sender's. A revert message names no
 * account.
 */
function isOfSender(name: string, subject: string, { from, to }: toRevertError.Conversion): boolean {
  if (from === undefined) return false
  return subject === '' || subject === (name === 'ERC20InsufficientBalance' ? from : to)
}

function toFaucetCooldown([until = '']: readonly string[], { blockSeconds }: toRevertError.Conversion): ServiceError {
  const nextClaimAtSeconds = BigInt(until)
  return Errors.faucetCooldown({ nextClaimAtSeconds, blockSeconds: blockSeconds ?? nextClaimAtSeconds })
}

function toAboveMaxOrigin([paid, limit]: readonly string[], conversion: toRevertError.Conversion): ServiceError {
  const { tokenIn, tokenOut, target, quoteToken, maxAmountInRaw } = conversion
  // The second of two pools reports its limit in the intermediate token, which is not comparable with the input token.
  // The input of an exact output is unknown, so it cannot show which of the two pools reverted.
  const isOfAnyPool = maxAmountInRaw !== undefined && target !== 'pool'
  const { amountInRaw = isOfAnyPool ? undefined : toRaw(paid) } = conversion
  const isOfFirst = amountInRaw !== undefined && toRaw(paid) === amountInRaw
  // At the limit of the first of two pools, the second one may refuse.
  const hasSecond = quoteToken !== undefined && quoteToken !== tokenIn?.address && quoteToken !== tokenOut?.address
  return Errors.aboveMaxOrigin({
    symbol: tokenIn?.symbol,
    amountIn: format(amountInRaw, tokenIn),
    maxAmountIn: isOfFirst && !hasSecond ? format(toRaw(limit), tokenIn) : undefined,
  })
}

function toNoConvergence(_: readonly string[], { tokenIn, amountInRaw }: toRevertError.Conversion): ServiceError {
  return Errors.noConvergence({ symbol: tokenIn?.symbol, amountIn: format(amountInRaw, tokenIn) })
}

function toBelowMinTarget(
  [paid, least]: readonly string[],
  { tokenOut, minAmountOutRaw = toRaw(least) }: toRevertError.Conversion,
): ServiceError {
  return Errors.belowMinTarget({
    symbol: tokenOut?.symbol,
    amountOut: format(toRaw(paid), tokenOut),
    minAmountOut: format(minAmountOutRaw, tokenOut),
  })
}

function toAboveMaxInput(
  [needed, most]: readonly string[],
  { tokenIn, maxAmountInRaw = toRaw(most) }: toRevertError.Conversion,
): ServiceError {
  // The second of two pools reports amounts in the intermediate token.
  const isOfFirst = toRaw(most) === maxAmountInRaw
  return Errors.aboveMaxInput({
    symbol: tokenIn?.symbol,
    amountIn: isOfFirst ? format(toRaw(needed), tokenIn) : undefined,
    maxAmountIn: format(maxAmountInRaw, tokenIn),
  })
}

function toInsufficient(
  [, has, needs]: readonly string[],
  { tokenIn, amountInRaw, permit }: toRevertError.Conversion,
): Errors.Insufficient {
  return {
    symbol: tokenIn?.symbol,
    required: format(toRaw(needs) ?? amountInRaw, tokenIn),
    current: format(toRaw(has), tokenIn),
    isPermit2: permit?.kind === 'permit2',
  }
}

function toInsufficientAllowance(args: readonly string[], conversion: toRevertError.Conversion): ServiceError {
  const { target = 'router' } = conversion
  return Errors.insufficientAllowance({ ...toInsufficient(args, conversion), spender: `the ${target}` })
}

function toUnsupported(field: string, token: string | undefined): ServiceError {
  return Errors.unsupportedToken({ field, value: token, pool: 'the pool of the router' })
}

function toRaw(argument: string | undefined): bigint | undefined {
  return argument === undefined ? undefined : BigInt(argument)
}

function format(raw: bigint | undefined, token: Token | undefined): string | undefined {
  if (raw === undefined) return undefined
  return token ? Amount.format(raw, token.decimals) : raw.toString()
}

/** Converts the error of a contract call: a revert by `toRevertError`, any other error by `toUpstreamError`. */
export function toCallError(error: unknown, conversion: toRevertError.Conversion = {}): ServiceError {
  const revert = findRevertData(error)
  return revert === undefined ? toUpstreamError(error) : toRevertError(decodeRevert(revert), conversion)
}
