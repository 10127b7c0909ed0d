import { isSettled, type Step, type SuccessfulReceipt } from '@agio/sdk'
import type { ShownConversion } from './conversions.ts'

/** How a conversion stands, and what the user can do about it. */
export type Outlook =
  /** This tab runs it: the wallet asks the user (`asking`), or something else is waited for. */
  | { readonly kind: 'running'; readonly isAsking: boolean }
  /** This tab follows what was sent before a reload, or looks for it, and asks for nothing. */
  | { readonly kind: 'following'; readonly isSent: boolean }
  /** Another tab runs it. */
  | { readonly kind: 'elsewhere' }
  /** It has not ended, and nothing runs it. */
  | { readonly kind: 'paused'; readonly isSettled: boolean; readonly isSent: boolean }
  | { readonly kind: 'done'; readonly receipt: SuccessfulReceipt }
  | { readonly kind: 'failed'; readonly error: unknown; readonly code: string; readonly next: NextAction }

/**
 * What follows a failure: the same conversion goes on (`resume`, since something may be on its way or the user has stopped it, or `retry`), another quote takes
 * its place (`requote`), or nothing helps (`none`).
 */
export type NextAction = 'resume' | 'retry' | 'requote' | 'none'

/** Says how a conversion stands. */
export function readOutlook({ phase, steps, error }: ShownConversion): Outlook {
  const step = steps.at(-1)
  if (phase === 'running') return { kind: phase, isAsking: step?.status === 'waiting-for-wallet' }
  if (phase === 'following') return { kind: phase, isSent: step?.state.pending?.transactionHash !== undefined }
  if (phase === 'elsewhere') return { kind: phase }
  if (error !== undefined) return toFailure(error, step)
  if (step?.kind === 'confirm' && step.status === 'done') return { kind: 'done', receipt: step.receipt }
  if (step?.status === 'failed') return { kind: 'failed', error: step.error, code: step.error.code, next: toNext(step) }
  return {
    kind: 'paused',
    isSettled: !step || isSettled(step),
    isSent: step?.state.pending?.transactionHash !== undefined,
  }
}

function toNext({ error: { code, action }, state }: Failed): NextAction {
  if (action === 'resume' || action === 'requote') return action
  // The user has stopped it. Nothing failed that could be tried again.
  if (code === 'convert/aborted' && !state.pending) return 'resume'
  // Its transaction was mined and reverted, which is final.
  if (state.pending) return 'requote'
  // The amount, the tokens or the key have to change, which the form does.
  return action === 'fix_input' ? 'none' : 'retry'
}

type Failed = Extract<Step, { readonly status: 'failed' }>

function toFailure(error: unknown, step: Step | undefined): Outlook {
  const { code } = error as { readonly code?: unknown }
  const next = code === 'convert/invalid-step' || !step ? 'none' : isSettled(step) ? 'retry' : 'resume'
  return { kind: 'failed', error, code: typeof code === 'string' ? code : 'console/failed', next }
}
