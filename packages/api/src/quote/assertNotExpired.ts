import { Errors } from '@agio/core'
import type { QuoteTerms } from './QuoteTerms.ts'

/**
 * Asserts that a quote has not expired. A conversion can only be mined before the expiry of its quote.
 *
 * @param headSeconds the time of the newest block
 * @param nowMs the wall clock
 * @throws `svc/quote-expired` once one of the two clocks has reached the expiry
 */
export function assertNotExpired(
  { expiresAt }: Pick<QuoteTerms, 'expiresAt'>,
  { headSeconds, nowMs }: { readonly headSeconds: bigint; readonly nowMs: number },
): void {
  if (headSeconds < BigInt(expiresAt) && nowMs < expiresAt * 1000) return
  throw Errors.quoteExpired({ expiresAtSeconds: BigInt(expiresAt) })
}
