import { authentication, input, limit, type CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of API keys, their limits and their webhooks. */
export const accessErrors = {
  'svc/unauthorized': { ...authentication, status: 401, title: 'The API key is missing or unknown' },
  'svc/key-revoked': {
    ...authentication,
    status: 403,
    title: 'The API key is revoked, or its overlap after a rotation has ended',
  },
  'svc/forbidden-role': {
    ...authentication,
    status: 403,
    title: 'The operator does not have the role that the operation needs',
    details: ['role'],
  },
  'svc/key-expired': { ...authentication, status: 403, title: 'The API key has expired' },
  'svc/address-forbidden': {
    ...authentication,
    status: 403,
    title: 'The API key does not allow the address of the client',
  },
  'svc/origin-forbidden': {
    ...authentication,
    status: 403,
    title: 'The API key does not allow the origin of the page, or the request has no origin',
  },
  'svc/forbidden-scope': {
    ...authentication,
    status: 403,
    title: 'The API key does not have the scope of the operation',
    details: ['scope'],
  },
  'svc/rate-limited': { ...limit, status: 429, title: 'The rate limit is reached' },
  'svc/quota-exceeded': { ...limit, status: 429, title: 'The monthly quota is used up' },
  'svc/webhook-not-found': {
    ...input,
    status: 404,
    title: 'The webhook or delivery does not exist, or belongs to another API key',
  },
  'svc/webhook-limit': {
    ...input,
    status: 409,
    class: 'limit',
    title: 'The API key has the maximum number of webhooks or of followed transactions',
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
