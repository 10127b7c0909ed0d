import * as Timestamp from '../time/Timestamp.ts'
import { ServiceError, type Cause, type Refusal } from './ServiceError.ts'
import { formatSymbol } from './formatSymbol.ts'
import type { PermitRefusal } from './catalogue/permitRefusals.ts'
import type { ErrorDetails } from './errorCatalogue.ts'

/**
 * Returns the error for a wallet whose native balance cannot pay for gas.
 *
 * @param options `required` and `current` are decimals of the native currency; `costs` names what the required amount
 * pays for
 */
export function insufficientGas({ action, costs = 'gas', ...details }: InsufficientGas) {
  const { required, current } = details
  const reason = `${costs} may cost up to ${required}, the wallet holds ${current} (native currency)`
  return new ServiceError('svc/insufficient-gas', `Cannot ${action}: ${reason}`, details)
}

type InsufficientGas = ErrorDetails<'svc/insufficient-gas'> &
  Pick<Refusal, 'action'> &
  Cause & { readonly costs?: string }

/** Returns the error for a wallet that does not hold the input amount. */
export function insufficientBalance(options: Insufficient) {
  const { message, details } = toInsufficient('the wallet holds', options)
  return new ServiceError('svc/insufficient-balance', message, details)
}

/** Returns the error for an allowance below the input amount. `spender` is the contract that takes the amount. */
export function insufficientAllowance({ spender, ...options }: Insufficient & { readonly spender: string }) {
  const { message, details } = toInsufficient(`${spender} may spend`, options)
  return new ServiceError('svc/insufficient-allowance', message, details)
}

/** The missing funds of a conversion. */
export type Insufficient = {
  /** The amount in decimals; undefined if it is unknown. */
  readonly required: string | undefined
  readonly current: string | undefined
  readonly symbol?: string | undefined
  /**
   * Whether Permit2 refuses the payment. Permit2 reports no amounts, and does not say whether balance or allowance is
   * missing.
   */
  readonly isPermit2?: boolean
}

function toInsufficient(subject: string, { symbol, isPermit2 = false, ...details }: Insufficient) {
  const format = (amount: string) => (symbol === undefined ? amount : `${amount} ${formatSymbol(symbol)}`)
  const required = details.required === undefined ? 'the amount' : format(details.required)
  if (isPermit2 && details.current === undefined) {
    const reason = `the allowance of the wallet for Permit2, or its balance, is less than ${required}`
    return { message: `Cannot convert: ${reason}`, details }
  }
  const state =
    details.current === undefined ? `less than ${required}` : `${format(details.current)} and needs ${required}`
  return { message: `Cannot convert: ${subject} ${state}`, details }
}

/**
 * Returns the error for a signature that the token or Permit2 would reject.
 *
 * @param options `state` describes the fault in more detail than the general text for its reason
 */
export function invalidPermit({
  reason,
  state = permitStates[reason],
}: {
  readonly reason: PermitRefusal
  readonly state?: string
}) {
  return new ServiceError('svc/invalid-permit', `Cannot pay by the signature: ${state}`, { reason })
}

const permitStates: Readonly<Record<PermitRefusal, string>> = {
  signer: 'the account did not sign these terms, or the signature is malformed or rejected by the code of the account',
  deadline: 'its deadline has passed',
  nonce: 'it was signed for another nonce, or its nonce has been used',
  domain: 'it was signed for another token, contract or network, or the token does not accept permits',
  amount: 'its amount is less than the conversion may take, or differs from the signed amount',
}

/** Returns the error for a sender or a recipient that the token has blocked. `field` is its field in a request. */
export function accountBlocked(details: ErrorDetails<'svc/account-blocked'>) {
  const { token, account = 'an account of the conversion' } = details
  return new ServiceError('svc/account-blocked', `Cannot convert: token ${token} has blocked ${account}`, details)
}

/** Returns the error for a token whose transfers are paused. */
export function tokenPaused({ token }: ErrorDetails<'svc/token-paused'>) {
  return new ServiceError('svc/token-paused', `Cannot transfer: token ${token} is paused by its issuer`, { token })
}

/** Returns the error for a claim within the cooldown. Both times are the chain's, in seconds since 1970. */
export function faucetCooldown({
  nextClaimAtSeconds,
  blockSeconds,
}: {
  readonly nextClaimAtSeconds: bigint
  readonly blockSeconds: bigint
}) {
  const nextClaimAt = Timestamp.fromSeconds(nextClaimAtSeconds)
  const waitSeconds = Number(nextClaimAtSeconds - blockSeconds)
  const message = `Cannot claim: the user has already claimed; the next claim is possible at ${nextClaimAt}`
  return new ServiceError('svc/faucet-cooldown', message, { nextClaimAt, retryAfterSeconds: Math.max(1, waitSeconds) })
}

/** Returns the error for a faucet whose balance of a token is too low. */
export function faucetDry({ token }: { readonly token: string }) {
  return new ServiceError('svc/faucet-dry', `Cannot claim: the faucet has run out of token ${token}`, { token })
}
