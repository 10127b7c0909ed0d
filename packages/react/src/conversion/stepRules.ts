import { isSettled, type Step } from '@agio/sdk'

/** Returns whether a step is the last step of its conversion, until the conversion is resumed. */
export function hasEnded({ kind, status }: Step): boolean {
  return status === 'failed' || (kind === 'confirm' && status === 'done')
}

/**
 * Returns whether a stored conversion is followed when the page is opened. Conversions that ended or were stopped by
 * the user are not.
 */
export function isFollowed(step: Step): boolean {
  if (step.status !== 'failed') return !hasEnded(step)
  return !isSettled(step) && step.error.code !== 'convert/aborted'
}

/** Returns whether a conversion was refused or has failed before anything was sent. Nothing about it is left to find out. */
export function hasSentNothing(step: Step): boolean {
  return step.status === 'failed' && isSettled(step) && step.state.pending === undefined
}

/** Returns whether the next action is a new prompt of the wallet, rather than a search for an earlier request. */
export function asksNext({ kind, status, state }: Step): boolean {
  return status === 'needed' && (kind === 'switch-chain' || !state.pending)
}

/**
 * Returns whether a step must be stored before the conversion continues, because the wallet is asked next. Anything
 * after the wallet's answer can be found from the previous step.
 */
export function isNeededForResume({ kind, status }: Step): boolean {
  return kind !== 'confirm' && (status === 'needed' || status === 'waiting-for-wallet')
}

/**
 * Returns whether a conversion can be resumed with an account. It must be the account that started the conversion, or
 * any account if the wallet did not name one.
 */
export function isAccountOf({ state }: Step, account: string): boolean {
  return /^0x0+$/.test(state.account) || state.account.toLowerCase() === account.toLowerCase()
}
