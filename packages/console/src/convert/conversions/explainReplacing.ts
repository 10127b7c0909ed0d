import { explainError, toFailure } from '@agio/react/internal'
import type { Explanation } from '@agio/sdk/messages'

/** Explains why a pending transaction was not replaced. Some codes have another meaning here than for other calls. */
export function explainReplacing(error: unknown): Explanation {
  const failure = toFailure(error)
  return explanations[failure.code] ?? explainError(failure)
}

const explanations: Readonly<Record<string, Explanation>> = {
  'svc/transaction-not-found': {
    title: 'This transaction is no longer pending',
    next: 'It was replaced or confirmed.',
    tone: 'warning',
  },
  'svc/already-mined': {
    title: 'The transaction was already mined',
    next: 'Nothing was sent, because the transaction can no longer be replaced.',
    tone: 'neutral',
  },
  'convert/mismatch': {
    title: 'The service returned a different transaction',
    next: 'It does not match the pending transaction. Nothing was signed.',
    tone: 'danger',
  },
}
