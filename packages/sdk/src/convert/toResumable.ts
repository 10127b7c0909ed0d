import { AgioError } from '../errors/AgioError.ts'
import type { ConversionState, PendingRequest } from './ConversionState.ts'

/**
 * Returns the error that a conversion ends with. If one of its transactions is pending, or the wallet may send one, an
 * error of this package says so and has the action `resume`, because another conversion could convert twice. Any other
 * error is returned unchanged.
 */
export function toResumable({ pending }: Pick<ConversionState, 'pending'>, error: unknown): unknown {
  if (!(error instanceof AgioError) || !pending || finalCodes.has(error.code)) return error
  const { code, details, requestId, status, retryAfterSeconds, cause } = error
  const message = `${error.message}. ${describe(pending)}: resume the conversion from this step, and do not start another one`
  const fields = { details, requestId, status, retryAfterSeconds, cause }
  return new AgioError(code, message, { ...fields, retryable: false, action: 'resume' })
}

// After these errors the transaction can no longer convert.
const finalCodes: ReadonlySet<string> = new Set(['convert/replaced', 'convert/dropped'])

function describe({ kind, transactionHash }: PendingRequest): string {
  if (transactionHash !== undefined) return `The transaction ${transactionHash} was sent`
  return `The wallet was asked for the ${names[kind]} and may have sent it, or may send it later`
}

const names = { reset: 'approval', approve: 'approval', batch: 'batch', convert: 'conversion' } as const
