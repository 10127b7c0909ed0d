import { isSettled, type Step, type SuccessfulReceipt } from '@agio/sdk'
import type { PageConversion } from './PageConversion.ts'

/** The state of a conversion, and the possible actions of the user. */
export type Outlook =
  /** This tab runs the conversion. `isAsking`: the wallet prompts the user. */
  | { readonly kind: 'running'; readonly isAsking: boolean }
  /** This tab follows or searches for a transaction from before a reload, without prompts. */
  | { readonly kind: 'following'; readonly isSent: boolean }
  /** Another tab runs the conversion. */
  | { readonly kind: 'elsewhere' }
  /** The conversion has not ended and is not running. */
  | { readonly kind: 'paused'; readonly isSettled: boolean; readonly isSent: boolean }
  | { readonly kind: 'done'; readonly receipt: SuccessfulReceipt }
  | {
      readonly kind: 'failed'
      readonly error: unknown
      readonly code: string
      readonly next: NextAction
      /** Whether no transaction may be on its way. */
      readonly isSettled: boolean
    }

/**
 * What follows a failure. `resume` continues the same conversion, because it may have sent a transaction or the user
 * stopped it. `retry` continues it after an error. `requote` replaces it with a new quote. `none`: nothing helps.
 */
export type NextAction = 'resume' | 'retry' | 'requote' | 'none'

/** Returns the state of a conversion. */
export function toOutlook({ phase, steps, error }: PageConversion): Outlook {
  const step = steps.at(-1)
  if (phase === 'running') return { kind: phase, isAsking: step?.status === 'waiting-for-wallet' }
  if (phase === 'following') return { kind: phase, isSent: step?.state.pending?.transactionHash !== undefined }
  if (phase === 'elsewhere') return { kind: phase }
  if (error !== undefined) return toFailure(error, step)
  if (step?.kind === 'confirm' && step.status === 'done') return { kind: 'done', receipt: step.receipt }
  if (step?.status === 'failed') {
    return { kind: 'failed', error: step.error, code: step.error.code, next: toNext(step), isSettled: isSettled(step) }
  }
  return {
    kind: 'paused',
    isSettled: !step || isSettled(step),
    isSent: step?.state.pending?.transactionHash !== undefined,
  }
}

function toNext({ error: { code, action }, state }: Failed): NextAction {
  if (action === 'resume' || action === 'requote') return action
  // The user has stopped the conversion, so there is no failed step to retry.
  if (code === 'convert/aborted' && !state.pending) return 'resume'
  // Its transaction was mined and reverted. That is final.
  if (state.pending) return 'requote'
  // The user must change the amount, the tokens or the key in the form.
  return action === 'fix_input' ? 'none' : 'retry'
}

type Failed = Extract<Step, { readonly status: 'failed' }>

function toFailure(error: unknown, step: Step | undefined): Outlook {
  const { code } = error as { readonly code?: unknown }
  const isOver = !step || isSettled(step)
  const next = code === 'convert/invalid-step' || !step ? 'none' : isOver ? 'retry' : 'resume'
  return { kind: 'failed', error, code: typeof code === 'string' ? code : 'page/failed', next, isSettled: isOver }
}
