import type { Step } from './Step.ts'

/**
 * Returns whether a conversion has nothing pending at a step: it has ended, or the wallet has no request that it may
 * have sent. Resume a conversion that is not settled. Starting another one could convert twice.
 *
 * @example
 * if (!isSettled(stored)) await agio.resume(stored, { wallet })
 */
export function isSettled(step: Step): boolean {
  if (step.status === 'failed') return step.error.action !== 'resume'
  return !step.state.pending || (step.kind === 'confirm' && step.status === 'done')
}
