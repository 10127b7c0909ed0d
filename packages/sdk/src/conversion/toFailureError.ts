import type { ErrorAction, ErrorCode, Issue, TransactionFailure } from '../api/schemas.ts'
import { AgioError } from '../errors/AgioError.ts'
import { failureShape } from '../errors/assertAnswer.ts'
import { findFlaw } from '../errors/findFlaw.ts'

/** Returns the error of a transaction that was mined and reverted. */
export function toFailureError(failure: TransactionFailure | undefined, subject: string): AgioError<ErrorCode> {
  const unexplained = { code: 'svc/reverted', message: `Cannot complete ${subject}: it reverted` } as const
  const { code, message } = failure && !findFlaw('failure', failure, failureShape) ? failure : unexplained
  return create(code, message, { revert: failure?.revert ?? { name: '', args: [] } })
}

/** Returns the error that a conversion would fail with at the current state. */
export function toIssueError({ code, message, ...amounts }: Issue): AgioError<ErrorCode> {
  return create(code, `${code}: ${message}`, amounts)
}

function create(code: ErrorCode, message: string, details: object): AgioError<ErrorCode> {
  const fields = { details, retryable: false, action: actions[code] ?? 'requote' }
  return new AgioError(code, message, fields)
}

// A failed transaction is final. A new transaction can succeed once the cause is gone.
const actions: { readonly [Code in ErrorCode]?: ErrorAction } = {
  'svc/insufficient-balance': 'fund',
  'svc/insufficient-gas': 'fund',
  'svc/insufficient-allowance': 'approve',
  'svc/stale-price': 'wait',
  'svc/reference-depegged': 'fix_input',
  'svc/pool-frozen': 'wait',
}
