import type { CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of signed and sent transactions. */
export const transactionErrors = {
  'svc/invalid-transaction': {
    status: 400,
    class: 'input',
    title: 'The signed transaction does not decode, is not of type 2, or was rejected by the node',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/wrong-chain': {
    status: 400,
    class: 'input',
    title: 'The signed transaction is for another chain',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/nonce-too-low': {
    status: 409,
    class: 'input',
    title: 'The nonce is already used by another transaction',
    retryable: false,
    action: 'fix_input',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/underpriced': {
    status: 409,
    class: 'input',
    title: 'The gas price is below the minimum of the node',
    retryable: false,
    action: 'fix_input',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/already-mined': {
    status: 409,
    class: 'input',
    title: 'The transaction is already mined and cannot be replaced',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/transaction-not-found': {
    status: 404,
    class: 'input',
    title: 'No node knows the transaction',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/not-a-conversion': {
    status: 422,
    class: 'input',
    title: 'The transaction is not a conversion of the deployment',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
