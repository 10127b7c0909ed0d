import type { ConversionRun } from './ConversionRun.ts'
import { isSent, type PendingRequest, type SentRequest } from './ConversionState.ts'
import { applyReplacement, type Replacement } from './Replacement.ts'
import { toApprovalContent } from './toApprovalContent.ts'
import type { StepContent } from './Step.ts'

/**
 * Keeps a replacement of the pending transaction in the state, and publishes it, so that a reloaded page can replace the newest
 * transaction. Then the conversion waits for the newest transaction. Ignores replacements of other transactions.
 */
export async function followReplacement(run: ConversionRun, replacement: Replacement): Promise<void> {
  const { pending } = run.state
  const followed = isSent(pending) ? applyReplacement(pending, replacement) : undefined
  if (!followed) return
  run.update({ pending: followed })
  run.wake()
  await run.publish(toContent(run, followed, replacement))
}

function toContent({ state }: ConversionRun, followed: SentRequest, replacement: Replacement): StepContent {
  const { transactionHash, replaced } = replacement
  if (followed.kind === 'approve' || followed.kind === 'reset')
    return { ...toApprovalContent(state.quote, followed), status: 'sent', transactionHash }
  const kind = followed.cancelHash === transactionHash ? 'cancel' : 'speed-up'
  return { kind: 'confirm', status: 'sent', transactionHash, replaced, replacement: kind }
}

/** Keeps the hash of a request's transaction in the state. */
export function keepHash(
  run: ConversionRun,
  request: PendingRequest,
  transactionHash: SentRequest['transactionHash'],
): SentRequest {
  const pending = { ...request, transactionHash }
  run.update({ pending })
  return pending
}

/**
 * Keeps the cursor of a transaction in the state, unless the transaction was replaced in the meantime. After a restart it
 * identifies a replacement.
 */
export function keepCursor(run: ConversionRun, sent: SentRequest, cursor: string | undefined): SentRequest {
  if (cursor === undefined || cursor === sent.cursor || run.state.pending !== sent) return sent
  const pending = { ...sent, cursor }
  run.update({ pending })
  return pending
}
