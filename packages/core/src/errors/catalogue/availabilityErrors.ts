import type { CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of the nodes, the database and the service itself. */
export const availabilityErrors = {
  'svc/upstream-error': {
    status: 502,
    class: 'upstream',
    title: 'The upstream node returned an invalid response',
    retryable: true,
    action: 'retry',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/upstream-unavailable': {
    status: 503,
    class: 'upstream',
    title: 'The upstream node is unreachable or lags behind',
    retryable: true,
    action: 'retry',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/upstream-timeout': {
    status: 504,
    class: 'upstream',
    title: 'The upstream node did not respond in time',
    retryable: true,
    action: 'retry',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/storage-unavailable': {
    status: 503,
    class: 'upstream',
    title: 'The database of keys and usage is unreachable',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/streams-full': {
    status: 503,
    class: 'limit',
    title: 'The process has its maximum number of streams open',
    retryable: true,
    action: 'wait',
    details: ['retryAfterSeconds'],
  },
  'svc/internal': {
    status: 500,
    class: 'upstream',
    title: 'The service failed unexpectedly',
    retryable: true,
    action: 'retry',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
