import type { ConversionRun } from './ConversionRun.ts'
import { isSent, type PendingRequest, type SentRequest } from './ConversionState.ts'
import { applyReplacement, type Replacement } from './Replacement.ts'
import { toApprovalContent } from './toApprovalContent.ts'
import type { StepContent } from './Step.ts'

/**
 * Keeps a replacement of the pending transaction in the state, and publishes it, so that a reloaded page can replace the newest
 * transaction. Then the conversion waits for the newest transaction. Ignores replacements of other transactions.
 *
 * If `onStep` is running, it may be waiting for this replacement. Then the step is published afterwards, and not awaited here.
 */
export async function followReplacement(run: ConversionRun, replacement: Replacement): Promise<void> {
  const { pending } = run.state
  const followed = isSent(pending) && !run.hasOutcome ? applyReplacement(pending, replacement) : undefined
  if (!followed) return
  const isTelling = run.isTelling()
  run.update({ pending: followed })
  run.followed = run.publish(toContent(run, followed, replacement))
  // The wait for the transaction throws the error.
  run.followed.catch(() => {})
  run.wake()
  if (!isTelling) await run.followed
}

function toContent({ state }: ConversionRun, followed: SentRequest, replacement: Replacement): StepContent {
  const { transactionHash, replaced } = replacement
  if (followed.kind === 'approve' || followed.kind === 'reset')
    return { ...toApprovalContent(state.quote, followed), status: 'sent', transactionHash }
  const kind = followed.cancelHash === transactionHash ? 'cancel' : 'speed-up'
  return { kind: 'confirm', status: 'sent', transactionHash, replaced, replacement: kind }
}

/** Keeps the hash of a request's transaction in the state. Another transaction may have another nonce. */
export function keepHash(
  run: ConversionRun,
  request: PendingRequest,
  transactionHash: SentRequest['transactionHash'],
): SentRequest {
  const { sentNonce: _, ...rest } = request
  const pending = { ...rest, transactionHash }
  run.update({ pending })
  return pending
}

/**
 * Keeps the cursor of a transaction in the state, unless the transaction was sped up in the meantime. After a restart it
 * identifies a replacement.
 *
 * @returns the request with its cursor; the given request if another one is pending by now
 */
export function keepCursor(run: ConversionRun, sent: SentRequest, cursor: string | undefined): SentRequest {
  const { pending } = run.state
  if (cursor === undefined || pending?.transactionHash !== sent.transactionHash || pending.cursor === cursor)
    return sent
  const kept = { ...pending, transactionHash: sent.transactionHash, cursor }
  run.update({ pending: kept })
  return pending === sent ? kept : sent
}
