import { Amount, ServiceError, toTimestamp, type Address, type Token } from '@agio/core'
import type { Revert } from './decodeRevert.ts'
import { dfxRevertReasons } from './dfxRevertReasons.ts'

/**
 * Names a revert by the service's codes, with the figures that the contract gave. What a contract of others says in words
 * gets the same code as our error for it, with the figures that are known of the conversion. A balance or an allowance is
 * missing only if it is the sender's own.
 *
 * @param conversion what was tried: by whom, its tokens, for the decimals of figures, and its amounts
 */
export function toRevertError(revert: Revert, conversion: toRevertError.Conversion = {}): ServiceError {
  const said = revert.name === 'Error' ? dfxRevertReasons.get(revert.args[0] ?? '') : undefined
  const { name, args } = said === undefined ? revert : { name: said, args: [] }
  const [first = '', second = '', third = ''] = args
  if (isLack(name) && !isSenders(name, first, conversion)) return toReverted(revert)
  switch (name) {
    case 'StalePrice': {
      const updatedAt = toTimestamp(BigInt(second))
      const message = `Cannot price the conversion: oracle ${first} has had no valid answer for more than ${third} s`
      return new ServiceError('svc/stale-price', message, { oracle: first, updatedAt, maxAgeSeconds: Number(third) })
    }
    case 'InvalidPrice': {
      const message = `Cannot price the conversion: oracle ${first} answers ${second}`
      return new ServiceError('svc/stale-price', message, {
        oracle: first,
        updatedAt: toTimestamp(0n),
        maxAgeSeconds: 0,
      })
    }
    case 'AboveMaxOrigin':
      return toAboveMaxOrigin(args, conversion)
    case 'BelowMinTarget':
      return toBelowMinTarget(args, conversion)
    case 'ERC20InsufficientBalance':
      return toInsufficient('svc/insufficient-balance', args, conversion)
    case 'ERC20InsufficientAllowance':
      return toInsufficient('svc/insufficient-allowance', args, conversion)
    case 'Frozen':
      return new ServiceError('svc/pool-frozen', 'Cannot convert: the pool is frozen by its owner', {})
    case 'DeadlinePassed':
      return new ServiceError(
        'svc/deadline-passed',
        `Cannot convert: ${`the deadline ${first}`.trim()} is not after the block`,
        {},
      )
    case 'ZeroAmount':
      return new ServiceError('svc/amount-too-small', 'Cannot convert so little: nothing is left after the fee', {})
    case 'NoPath':
      return new ServiceError('svc/no-route', 'Cannot convert: the router finds no pools that connect the tokens', {})
    case 'UnsupportedOrigin':
      return toUnsupported('tokenIn', conversion.tokenIn?.address)
    case 'UnsupportedTarget':
      return toUnsupported('tokenOut', conversion.tokenOut?.address)
    case 'UnsupportedToken':
      return toUnsupported(first === conversion.tokenOut?.address ? 'tokenOut' : 'tokenIn', first)
    case 'CooldownActive': {
      const nextClaimAt = toTimestamp(BigInt(first))
      const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(nextClaimAt) - Date.now()) / 1000))
      const message = `Cannot claim: the user has claimed already, and may again at ${nextClaimAt}`
      return new ServiceError('svc/faucet-cooldown', message, { nextClaimAt, retryAfterSeconds })
    }
    case 'FaucetDry':
      return new ServiceError('svc/faucet-dry', `Cannot claim: the faucet has run out of ${first}`, { token: first })
    default:
      return toReverted(revert)
  }
}

export declare namespace toRevertError {
  type Conversion = {
    /** Who sends the transaction, and to whom. */
    readonly from?: Address | undefined
    readonly to?: Address | undefined
    readonly tokenIn?: Token | undefined
    readonly tokenOut?: Token | undefined
    /** Raw units of the input token. */
    readonly amountInRaw?: bigint | undefined
    /** Raw units of the output token. */
    readonly minAmountOutRaw?: bigint | undefined
  }
}

function toReverted(revert: Revert): ServiceError {
  const message = `Cannot run the transaction: the contract reverts with ${revert.name}(${revert.args.join(', ')})`
  return new ServiceError('svc/reverted', message, { revert })
}

function isLack(name: string): boolean {
  return name === 'ERC20InsufficientBalance' || name === 'ERC20InsufficientAllowance'
}

/** Whether it is the sender who lacks a balance, or has not approved whom he calls. A sentence names nobody. */
function isSenders(name: string, subject: string, { from, to }: toRevertError.Conversion): boolean {
  if (from === undefined) return false
  return subject === '' || subject === (name === 'ERC20InsufficientBalance' ? from : to)
}

function toAboveMaxOrigin(
  [paid, limit]: readonly string[],
  { tokenIn, amountInRaw = toRaw(paid) }: toRevertError.Conversion,
): ServiceError {
  // Over two pools the second one counts in the token between them: its limit says nothing in the first token.
  const isOfFirst = toRaw(paid) === amountInRaw
  const details = {
    amountIn: format(amountInRaw, tokenIn),
    maxAmountIn: isOfFirst ? format(toRaw(limit), tokenIn) : undefined,
  }
  const { amountIn = 'the amount', maxAmountIn } = details
  const state =
    maxAmountIn === undefined ? 'it is more than a pool takes now' : `the pool takes at most ${maxAmountIn} now`
  return new ServiceError('svc/above-max-origin', `Cannot convert ${amountIn}: ${state}`, details)
}

function toBelowMinTarget(
  [paid, minimum]: readonly string[],
  { tokenOut, minAmountOutRaw = toRaw(minimum) }: toRevertError.Conversion,
): ServiceError {
  const details = { amountOut: format(toRaw(paid), tokenOut), minAmountOut: format(minAmountOutRaw, tokenOut) }
  const pays = details.amountOut === undefined ? 'what it pays is' : `it pays ${details.amountOut}, which is`
  const message = `Cannot convert: ${pays} below the minimum of ${details.minAmountOut ?? 'the request'}`
  return new ServiceError('svc/below-min-target', message, details)
}

function toInsufficient(
  code: 'svc/insufficient-balance' | 'svc/insufficient-allowance',
  [, has, needs]: readonly string[],
  { tokenIn, amountInRaw }: toRevertError.Conversion,
): ServiceError {
  const details = { required: format(toRaw(needs) ?? amountInRaw, tokenIn), current: format(toRaw(has), tokenIn) }
  const { required = 'the amount', current = 'too little' } = details
  const subject = code === 'svc/insufficient-balance' ? 'the wallet holds' : 'the router may spend'
  return new ServiceError(code, `Cannot convert: ${subject} ${current} of ${required}`, details)
}

function toUnsupported(field: string, token: string | undefined): ServiceError {
  const message = `Cannot use token ${token ?? field}: the pool that the router takes does not hold it`
  return new ServiceError('svc/unsupported-token', message, { field, value: token })
}

function toRaw(argument: string | undefined): bigint | undefined {
  return argument === undefined ? undefined : BigInt(argument)
}

function format(raw: bigint | undefined, token: Token | undefined): string | undefined {
  if (raw === undefined) return undefined
  return token ? Amount.format(raw, token.decimals) : raw.toString()
}
