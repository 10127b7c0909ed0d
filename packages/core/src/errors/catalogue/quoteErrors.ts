import { changingMarket, input, market, type CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of signed quotes. */
export const quoteErrors = {
  'svc/quoting-paused': { ...changingMarket, status: 422, title: 'The operator has paused quotes for the two tokens' },
  'svc/quote-invalid': {
    ...input,
    status: 400,
    title: 'The quote is malformed, was altered, or was signed with a secret that the service no longer has',
    action: 'requote',
    details: ['field'],
  },
  'svc/quote-expired': {
    ...market,
    status: 410,
    title: 'The quote has expired',
    action: 'requote',
    details: ['expiresAt'],
  },
  'svc/quote-mismatch': {
    ...input,
    status: 409,
    title: 'The request or the signed transaction differs from the quote',
    details: ['field', 'expected', 'actual'],
  },
  'svc/quote-not-yours': { ...input, status: 403, title: 'The quote was issued to another API key', action: 'requote' },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
