import { limit, upstream, type CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of the nodes, the database and the service itself. */
export const availabilityErrors = {
  'svc/upstream-error': {
    ...upstream,
    status: 502,
    title: 'The upstream node returned an invalid response',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/upstream-unavailable': {
    ...upstream,
    status: 503,
    title: 'The upstream node is unreachable or lags behind',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/upstream-timeout': {
    ...upstream,
    status: 504,
    title: 'The upstream node did not respond in time',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/storage-unavailable': { ...upstream, status: 503, title: 'The database of keys and usage is unreachable' },
  'svc/streams-full': { ...limit, status: 503, title: 'The process has its maximum number of streams open' },
  'svc/internal': {
    ...upstream,
    status: 500,
    title: 'The service failed unexpectedly',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
