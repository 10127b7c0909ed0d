import { Errors } from '@agio/core'
import type { QuoteTerms } from './QuoteTerms.ts'

/**
 * Asserts that a quote is valid still: a conversion may be mined before its expiry only.
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
