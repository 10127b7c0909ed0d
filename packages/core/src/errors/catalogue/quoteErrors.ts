import type { CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of signed quotes. */
export const quoteErrors = {
  'svc/quoting-paused': {
    status: 422,
    class: 'market',
    title: 'The operator has paused quotes for the two tokens',
    retryable: true,
    action: 'wait',
    details: [],
  },
  'svc/quote-invalid': {
    status: 400,
    class: 'input',
    title: 'The quote is malformed, was altered, or was signed with a secret that the service no longer has',
    retryable: false,
    action: 'requote',
    details: ['field'],
  },
  'svc/quote-expired': {
    status: 410,
    class: 'market',
    title: 'The quote has expired',
    retryable: false,
    action: 'requote',
    details: ['expiresAt'],
  },
  'svc/quote-mismatch': {
    status: 409,
    class: 'input',
    title: 'The request or the signed transaction differs from the quote',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'expected', 'actual'],
  },
  'svc/quote-not-yours': {
    status: 403,
    class: 'input',
    title: 'The quote was issued to another API key',
    retryable: false,
    action: 'requote',
    details: [],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
