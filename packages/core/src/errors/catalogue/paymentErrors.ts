import type { CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of the funds, allowances and signatures that pay, and of the faucet. */
export const paymentErrors = {
  'svc/insufficient-gas': {
    status: 422,
    class: 'funds',
    title: 'The native balance is too low to pay for gas',
    retryable: true,
    action: 'fund',
    details: ['required', 'current', 'transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/insufficient-balance': {
    status: 422,
    class: 'funds',
    title: 'The balance of the input token is too low',
    retryable: true,
    action: 'fund',
    details: ['required', 'current'],
    optional: ['required', 'current'],
  },
  'svc/insufficient-allowance': {
    status: 422,
    class: 'funds',
    title: 'The allowance for the spender (the router or a pool) is below the amount',
    retryable: true,
    action: 'approve',
    details: ['required', 'current'],
    optional: ['required', 'current'],
  },
  'svc/invalid-permit': {
    status: 422,
    class: 'funds',
    title: 'The token or Permit2 would reject the signature for the given `reason`',
    retryable: false,
    action: 'approve',
    details: ['reason'],
  },
  'svc/faucet-cooldown': {
    status: 429,
    class: 'limit',
    title: 'The account has claimed within the cooldown',
    retryable: true,
    action: 'wait',
    details: ['nextClaimAt', 'retryAfterSeconds'],
  },
  'svc/faucet-dry': {
    status: 503,
    class: 'limit',
    title: 'The faucet has run out of a token',
    retryable: true,
    action: 'wait',
    details: ['token', 'transactionHash'],
    optional: ['transactionHash'],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
