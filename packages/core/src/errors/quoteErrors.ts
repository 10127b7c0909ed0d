import * as Timestamp from '../time/Timestamp.ts'
import { ServiceError } from './ServiceError.ts'
import type { ErrorDetails } from './errorCatalogue.ts'

/** Returns the error for two tokens whose quotes the operator has paused. */
export function quotingPaused({ tokens }: { readonly tokens: readonly string[] }) {
  const message = `Cannot quote ${tokens.join(' and ')}: the operator has paused quotes for these tokens`
  return new ServiceError('svc/quoting-paused', message, {})
}

/** Returns the error for a text that is not a quote of this service. */
export function quoteInvalid({ reason }: { readonly reason: string }) {
  return new ServiceError('svc/quote-invalid', `Cannot use the quote: ${reason}`, { field: 'quote' })
}

/** Returns the error for a quote after its expiry, in seconds since 1970. */
export function quoteExpired({ expiresAtSeconds }: { readonly expiresAtSeconds: bigint }) {
  const expiresAt = Timestamp.fromSeconds(expiresAtSeconds)
  return new ServiceError('svc/quote-expired', `Cannot use the quote: it expired at ${expiresAt}`, { expiresAt })
}

/** Returns the error for a request or a transaction that differs from its quote in one field. */
export function quoteMismatch(details: ErrorDetails<'svc/quote-mismatch'>) {
  const { field, expected, actual } = details
  return new ServiceError(
    'svc/quote-mismatch',
    `Cannot use the quote: its ${field} is ${expected}, not ${actual}`,
    details,
  )
}

/** Returns the error for a quote of another API key. */
export function quoteNotYours() {
  return new ServiceError('svc/quote-not-yours', 'Cannot use the quote: it was issued to another API key', {})
}
