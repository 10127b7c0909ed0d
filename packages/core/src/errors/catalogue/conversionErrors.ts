import type { CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of a conversion that the pools or the router refuse. */
export const conversionErrors = {
  'svc/stale-price': {
    status: 422,
    title:
      'The oracle price does not count for the given `reason`. Usually it is older than its maximum age: one hour, or the age that the deployment declares for the feed',
    retryable: true,
    action: 'wait',
    details: ['oracle', 'updatedAt', 'maxAgeSeconds', 'reason', 'opensAt', 'retryAfterSeconds'],
    optional: ['reason', 'opensAt', 'retryAfterSeconds'],
  },
  'svc/reference-depegged': {
    status: 422,
    title:
      'The reference token is not worth a dollar. The pool converts again once its price is back in its band, which may take long',
    retryable: false,
    action: 'fix_input',
    details: ['feed', 'answer', 'minAnswer', 'maxAnswer'],
  },
  'svc/above-max-origin': {
    status: 422,
    title: 'The input amount exceeds the current limit of the pool',
    retryable: false,
    action: 'fix_input',
    details: ['amountIn', 'maxAmountIn'],
    optional: ['amountIn', 'maxAmountIn'],
  },
  'svc/no-convergence': {
    status: 422,
    title:
      'The curve of the pool has no price for this amount, because its iteration does not converge. Try another amount',
    retryable: false,
    action: 'fix_input',
    details: ['amountIn', 'nearestAmountIn'],
    optional: ['amountIn', 'nearestAmountIn'],
  },
  'svc/below-min-target': {
    status: 422,
    title: 'The output is below the requested minimum',
    retryable: true,
    action: 'requote',
    details: ['amountOut', 'minAmountOut'],
    optional: ['amountOut', 'minAmountOut'],
  },
  'svc/above-max-input': {
    status: 422,
    title: 'The input for the requested output exceeds the requested maximum',
    retryable: true,
    action: 'requote',
    details: ['amountIn', 'maxAmountIn'],
    optional: ['amountIn', 'maxAmountIn'],
  },
  'svc/no-route': {
    status: 422,
    title: 'No pools connect the two tokens',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/pool-frozen': {
    status: 422,
    title: 'The pool is frozen by its owner or guardian',
    retryable: true,
    action: 'wait',
    details: [],
  },
  'svc/deadline-passed': {
    status: 422,
    title: 'The deadline is not after the newest block',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/amount-too-small': {
    status: 422,
    title: 'The output is zero after rounding and the fee',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/recipient-unsupported': {
    status: 422,
    title: 'The contract that the conversion calls can pay only the sender',
    retryable: false,
    action: 'fix_input',
    details: ['field'],
  },
  'svc/reverted': {
    status: 422,
    title: 'The contract reverts for a reason without its own error code',
    retryable: false,
    action: 'fix_input',
    details: ['revert'],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
