import type { Step } from './Step.ts'

/**
 * Whether nothing of a conversion is on its way at a step: it has ended, or the wallet has not been asked for anything that it may
 * have sent. One that is not settled has to be resumed: to convert again could convert twice.
 *
 * @example
 * if (!isSettled(stored)) await agio.resume(stored, { wallet })
 */
export function isSettled(step: Step): boolean {
  if (step.status === 'failed') return step.error.action !== 'resume'
  return !step.state.pending || (step.kind === 'confirm' && step.status === 'done')
}
