import { input, type CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of signed and sent transactions. */
export const transactionErrors = {
  'svc/invalid-transaction': {
    ...input,
    status: 400,
    title: 'The signed transaction does not decode, is not of type 2, or was rejected by the node',
    details: ['field', 'transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/wrong-chain': {
    ...input,
    status: 400,
    title: 'The signed transaction is for another chain',
    details: ['field', 'value'],
  },
  'svc/nonce-too-low': {
    ...input,
    status: 409,
    title: 'The nonce is already used by another transaction',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/underpriced': {
    ...input,
    status: 409,
    title: 'The gas price is below the minimum of the node',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/already-mined': { ...input, status: 409, title: 'The transaction is already mined and cannot be replaced' },
  'svc/transaction-not-found': {
    ...input,
    status: 404,
    title: 'No node knows the transaction',
    retryable: true,
    action: 'retry',
  },
  'svc/not-a-conversion': { ...input, status: 422, title: 'The transaction is not a conversion of the deployment' },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
