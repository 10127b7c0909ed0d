import { ServiceError } from '@agio/core'

/** Returns the error for a request or a transaction that differs from its quote in one field. */
export function quoteMismatch(
  field: string,
  { expected, actual }: { readonly expected: string; readonly actual: string },
): ServiceError<'svc/quote-mismatch'> {
  const message = `Cannot use the quote: its ${field} is ${expected}, not ${actual}`
  return new ServiceError('svc/quote-mismatch', message, { field, expected, actual })
}
