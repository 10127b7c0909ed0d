import { changingMarket, input, market, type CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of a conversion that the pools or the router refuse. */
export const conversionErrors = {
  'svc/stale-price': {
    ...changingMarket,
    status: 422,
    title:
      'The oracle price does not count for the given `reason`. Usually it is older than its maximum age: one hour, or the age that the deployment declares for the feed',
    details: ['oracle', 'updatedAt', 'maxAgeSeconds', 'reason', 'opensAt', 'retryAfterSeconds'],
    optional: ['reason', 'opensAt', 'retryAfterSeconds'],
  },
  'svc/reference-depegged': {
    ...market,
    status: 422,
    title:
      'The reference token is not worth a dollar. The pool converts again once its price is back in its band, which may take long',
    details: ['feed', 'answer', 'minAnswer', 'maxAnswer'],
  },
  'svc/above-max-origin': {
    ...market,
    status: 422,
    title: 'The input amount exceeds the current limit of the pool',
    details: ['amountIn', 'maxAmountIn'],
    optional: ['amountIn', 'maxAmountIn'],
  },
  'svc/no-convergence': {
    ...market,
    status: 422,
    title:
      'The curve of the pool has no price for this amount, because its iteration does not converge. Try another amount',
    details: ['amountIn', 'nearestAmountIn'],
    optional: ['amountIn', 'nearestAmountIn'],
  },
  'svc/below-min-target': {
    ...changingMarket,
    status: 422,
    title: 'The output is below the requested minimum',
    action: 'requote',
    details: ['amountOut', 'minAmountOut'],
    optional: ['amountOut', 'minAmountOut'],
  },
  'svc/above-max-input': {
    ...changingMarket,
    status: 422,
    title: 'The input for the requested output exceeds the requested maximum',
    action: 'requote',
    details: ['amountIn', 'maxAmountIn'],
    optional: ['amountIn', 'maxAmountIn'],
  },
  'svc/no-route': { ...market, status: 422, title: 'No pools connect the two tokens' },
  'svc/pool-frozen': { ...changingMarket, status: 422, title: 'The pool is frozen by its owner or guardian' },
  'svc/deadline-passed': { ...market, status: 422, title: 'The deadline is not after the newest block' },
  'svc/amount-too-small': { ...input, status: 422, title: 'The output is zero after rounding and the fee' },
  'svc/recipient-unsupported': {
    ...input,
    status: 422,
    title: 'The contract that the conversion calls can pay only the sender',
    details: ['field'],
  },
  'svc/reverted': {
    ...market,
    status: 422,
    title: 'The contract reverts for a reason without its own error code',
    details: ['revert'],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
