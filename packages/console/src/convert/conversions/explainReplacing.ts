import { explainError, type Explanation } from '../../errors/explainError.ts'
import { toFailure } from '../../errors/toFailure.ts'

/** Explains why a pending transaction was not replaced, where that is something else than for other calls. */
export function explainReplacing(error: unknown): Explanation {
  const failure = toFailure(error)
  return explanations[failure.code] ?? explainError(failure)
}

const explanations: Readonly<Record<string, Explanation>> = {
  'svc/transaction-not-found': {
    title: 'The wallet has it pending no more',
    next: 'It is mined, or another transaction of the wallet takes its place. The page shows which one is mined.',
    tone: 'warning',
  },
  'svc/already-mined': {
    title: 'The transaction was mined meanwhile',
    next: 'Nothing was sent: no other one can take its place.',
    tone: 'neutral',
  },
  'convert/mismatch': {
    title: 'The service built something else',
    next: 'It does not replace the pending transaction. Nothing was signed.',
    tone: 'danger',
  },
}
