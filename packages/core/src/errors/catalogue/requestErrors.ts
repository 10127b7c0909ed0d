import { input, upstream, type CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of requests that the service cannot read, or that name something it does not have. */
export const requestErrors = {
  'svc/invalid-request': {
    ...input,
    status: 400,
    title: 'A field or parameter is missing, unknown or malformed',
    details: ['field', 'value', 'errors'],
    optional: ['errors'],
  },
  'svc/invalid-address': {
    ...input,
    status: 400,
    title: 'A value is not an address',
    details: ['field', 'value', 'errors'],
    optional: ['errors'],
  },
  'svc/unsupported-chain': {
    ...input,
    status: 400,
    title: 'The service does not serve the chain',
    details: ['field', 'value', 'errors'],
    optional: ['errors'],
  },
  'svc/unsupported-token': {
    ...input,
    status: 400,
    title: 'The deployment or the pool does not have this token',
    details: ['field', 'value'],
  },
  'svc/pool-not-found': {
    ...input,
    status: 404,
    title: 'The deployment does not have this pool',
    details: ['field', 'value'],
  },
  'svc/not-found': { ...input, status: 404, title: 'No operation exists at this path' },
  'svc/idempotency-key-in-use': {
    ...upstream,
    status: 409,
    title: 'A request with the same Idempotency-Key is in progress',
  },
  'svc/idempotency-key-reused': {
    ...input,
    status: 422,
    title: 'The Idempotency-Key was used for a request with another input',
  },
  'svc/payload-too-large': { ...input, status: 413, title: 'The request body is too large' },
  'svc/unsupported-media-type': {
    ...input,
    status: 415,
    title: 'The request body is not declared as application/json in UTF-8',
  },
  'svc/method-not-allowed': { ...input, status: 405, title: 'The path does not support this method' },
  'svc/request-timeout': { ...upstream, status: 408, title: 'The request did not arrive in time' },
  'svc/expectation-failed': {
    ...input,
    status: 417,
    title: 'The service does not support the expectation in the header Expect',
  },
  'svc/headers-too-large': { ...input, status: 431, title: 'The URL and the headers of the request are too large' },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
