import type { CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of API keys, their limits and their webhooks. */
export const accessErrors = {
  'svc/unauthorized': {
    status: 401,
    title: 'The API key is missing or unknown',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/key-revoked': {
    status: 403,
    title: 'The API key is revoked, or its overlap after a rotation has ended',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/rate-limited': {
    status: 429,
    title: 'The rate limit is reached',
    retryable: true,
    action: 'wait',
    details: ['retryAfterSeconds'],
  },
  'svc/quota-exceeded': {
    status: 429,
    title: 'The monthly quota is used up',
    retryable: true,
    action: 'wait',
    details: ['retryAfterSeconds'],
  },
  'svc/webhook-not-found': {
    status: 404,
    title: 'The webhook or delivery does not exist, or belongs to another API key',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/webhook-limit': {
    status: 409,
    title: 'The API key has the maximum number of webhooks or of followed transactions',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
