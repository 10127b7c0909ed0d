import type { CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of requests that the service cannot read, or that name something it does not have. */
export const requestErrors = {
  'svc/invalid-request': {
    status: 400,
    title: 'A field or parameter is missing, unknown or malformed',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/invalid-address': {
    status: 400,
    title: 'A value is not an address',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/unsupported-chain': {
    status: 400,
    title: 'The service does not serve the chain',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/unsupported-token': {
    status: 400,
    title: 'The deployment or the pool does not have this token',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/pool-not-found': {
    status: 404,
    title: 'The deployment does not have this pool',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/not-found': {
    status: 404,
    title: 'No operation exists at this path',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/payload-too-large': {
    status: 413,
    title: 'The request body is too large',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/unsupported-media-type': {
    status: 415,
    title: 'The request body is not declared as application/json in UTF-8',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/method-not-allowed': {
    status: 405,
    title: 'The path does not support this method',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/request-timeout': {
    status: 408,
    title: 'The request did not arrive in time',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/expectation-failed': {
    status: 417,
    title: 'The service does not support the expectation in the header Expect',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/headers-too-large': {
    status: 431,
    title: 'The URL and the headers of the request are too large',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
