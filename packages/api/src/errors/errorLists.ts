import type { ErrorCode } from '@agio/core'

/** The errors of reading the pools of a route. */
export const routeErrors = [
  'svc/unsupported-token',
  'svc/stale-price',
  'svc/reference-depegged',
  'svc/pool-frozen',
  'svc/no-route',
  'svc/reverted',
] as const satisfies readonly ErrorCode[]

/** The errors of an amount that the pools of a route cannot convert. */
export const amountErrors = [
  'svc/above-max-origin',
  'svc/no-convergence',
  'svc/amount-too-small',
] as const satisfies readonly ErrorCode[]

/** The errors of a market beyond the limit of a conversion. */
export const limitErrors = ['svc/below-min-target', 'svc/above-max-input'] as const satisfies readonly ErrorCode[]

/** The errors of opening a quote. */
export const quoteErrors = [
  'svc/quote-invalid',
  'svc/quote-not-yours',
  'svc/quote-expired',
  'svc/quote-mismatch',
] as const satisfies readonly ErrorCode[]

/**
 * The errors of sending a signed transaction. The transaction is invalid, or a node simulates it and reports a revert.
 * The transaction may call any contract, so the list contains all reverts with a code.
 */
export const sendErrors = [
  'svc/invalid-transaction',
  'svc/wrong-chain',
  'svc/nonce-too-low',
  'svc/underpriced',
  'svc/insufficient-gas',
  'svc/insufficient-balance',
  'svc/insufficient-allowance',
  'svc/account-blocked',
  'svc/token-paused',
  ...routeErrors,
  ...amountErrors,
  ...limitErrors,
  'svc/deadline-passed',
  'svc/faucet-cooldown',
  'svc/faucet-dry',
] as const satisfies readonly ErrorCode[]
