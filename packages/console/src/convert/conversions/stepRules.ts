import { isSettled, type Step } from '@agio/sdk'

/** Whether a step is the last one of its conversion, until that is resumed. */
export function hasEnded({ kind, status }: Step): boolean {
  return status === 'failed' || (kind === 'confirm' && status === 'done')
}

/** Whether a stored conversion is followed when the page is opened: one that has not ended, unless the user has stopped it. */
export function isFollowed(step: Step): boolean {
  if (step.status !== 'failed') return !hasEnded(step)
  return !isSettled(step) && step.error.code !== 'convert/aborted'
}

/** Whether the wallet is asked next, while nothing is on its way that it was asked for before. */
export function asksNext({ kind, status, state }: Step): boolean {
  return status === 'needed' && (kind === 'switch-chain' || !state.pending)
}

/**
 * Whether a conversion must not go on before a step is stored: the wallet is asked next. What follows the answer of the wallet is
 * found by the step before.
 */
export function isNeededForResume({ kind, status }: Step): boolean {
  return kind !== 'confirm' && (status === 'needed' || status === 'waiting-for-wallet')
}
