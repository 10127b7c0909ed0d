import { Amount, ServiceError, toTimestamp, type Token } from '@agio/core'
import type { Revert } from './decodeRevert.ts'

/**
 * Names a revert by the service's codes, with the figures that the contract gave.
 *
 * @param tokens the conversion's tokens, for the decimals of those figures
 */
export function toRevertError(revert: Revert, tokens: toRevertError.Tokens = {}): ServiceError {
  const [first = '', second = '', third = ''] = revert.args
  const amountIn = (raw: string) => format(raw, tokens.tokenIn)
  const amountOut = (raw: string) => format(raw, tokens.tokenOut)
  switch (revert.name) {
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
    case 'AboveMaxOrigin': {
      const details = { amountIn: amountIn(first), maxAmountIn: amountIn(second) }
      return new ServiceError(
        'svc/above-max-origin',
        `Cannot convert ${details.amountIn}: the pool takes at most ${details.maxAmountIn} now`,
        details,
      )
    }
    case 'BelowMinTarget': {
      const details = { amountOut: amountOut(first), minAmountOut: amountOut(second) }
      return new ServiceError(
        'svc/below-min-target',
        `Cannot convert: it pays ${details.amountOut}, which is below the minimum of ${details.minAmountOut}`,
        details,
      )
    }
    case 'ERC20InsufficientBalance': {
      const details = { required: amountIn(third), current: amountIn(second) }
      return new ServiceError(
        'svc/insufficient-balance',
        `Cannot convert: the wallet holds ${details.current} of ${details.required}`,
        details,
      )
    }
    case 'ERC20InsufficientAllowance': {
      const details = { required: amountIn(third), current: amountIn(second) }
      return new ServiceError(
        'svc/insufficient-allowance',
        `Cannot convert: the router may spend ${details.current} of ${details.required}`,
        details,
      )
    }
    case 'Frozen':
      return new ServiceError('svc/pool-frozen', 'Cannot convert: the pool is frozen by its owner', {})
    case 'DeadlinePassed':
      return new ServiceError('svc/deadline-passed', `Cannot convert: the deadline ${first} is not after the block`, {})
    case 'ZeroAmount':
      return new ServiceError('svc/amount-too-small', 'Cannot convert so little: nothing is left after the fee', {})
    case 'NoPath':
      return new ServiceError('svc/no-route', `Cannot convert ${first} into ${second}: no pools connect them`, {})
    case 'CooldownActive': {
      const nextClaimAt = toTimestamp(BigInt(first))
      const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(nextClaimAt) - Date.now()) / 1000))
      const message = `Cannot claim: the user has claimed already, and may again at ${nextClaimAt}`
      return new ServiceError('svc/faucet-cooldown', message, { nextClaimAt, retryAfterSeconds })
    }
    case 'FaucetDry':
      return new ServiceError('svc/faucet-dry', `Cannot claim: the faucet has run out of ${first}`, { token: first })
    default:
      return new ServiceError(
        'svc/reverted',
        `Cannot run the transaction: the contract reverts with ${revert.name}(${revert.args.join(', ')})`,
        { revert },
      )
  }
}

export declare namespace toRevertError {
  type Tokens = {
    readonly tokenIn?: Token | undefined
    readonly tokenOut?: Token | undefined
  }
}

function format(raw: string, token: Token | undefined): string {
  return token ? Amount.format(BigInt(raw), token.decimals) : raw
}
