import { changingMarket, funds, input, limit, type CatalogueEntry } from './CatalogueEntry.ts'

/** Errors of the funds, allowances and signatures that pay, and of the faucet. */
export const paymentErrors = {
  'svc/insufficient-gas': {
    ...funds,
    title: 'The native balance is too low to pay for gas',
    details: ['required', 'current', 'transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/insufficient-balance': { ...funds, title: 'The balance of the input token is too low' },
  'svc/insufficient-allowance': {
    ...funds,
    title: 'The allowance for the spender (the router or a pool) is below the amount',
    action: 'approve',
  },
  'svc/invalid-permit': {
    ...input,
    status: 422,
    class: 'funds',
    title: 'The token or Permit2 would reject the signature for the given `reason`',
    action: 'approve',
    details: ['reason'],
  },
  'svc/account-blocked': {
    ...input,
    status: 422,
    title: 'The issuer of the token has blocked the account in `field`. Use another account or another token',
    details: ['token', 'account', 'field'],
    optional: ['account', 'field'],
  },
  'svc/token-paused': {
    ...changingMarket,
    status: 422,
    title: 'The issuer of the token has paused all its transfers',
    details: ['token'],
  },
  'svc/faucet-cooldown': {
    ...limit,
    status: 429,
    title: 'The account has claimed within the cooldown',
    details: ['nextClaimAt', 'retryAfterSeconds'],
  },
  'svc/faucet-dry': {
    ...limit,
    status: 503,
    title: 'The faucet has run out of a token',
    details: ['token', 'transactionHash'],
    optional: ['transactionHash'],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>
