import type { ErrorCode } from '@agio/core'

/**
 * The errors of sending a signed transaction: the transaction is invalid, or a node that simulates it first reports a
 * revert. It may call any contract, hence all reverts with a code.
 */
export const sendErrors: readonly ErrorCode[] = [
  'svc/invalid-transaction',
  'svc/wrong-chain',
  'svc/nonce-too-low',
  'svc/underpriced',
  'svc/insufficient-gas',
  'svc/insufficient-balance',
  'svc/insufficient-allowance',
  'svc/unsupported-token',
  'svc/stale-price',
  'svc/above-max-origin',
  'svc/no-convergence',
  'svc/below-min-target',
  'svc/above-max-input',
  'svc/amount-too-small',
  'svc/pool-frozen',
  'svc/no-route',
  'svc/deadline-passed',
  'svc/faucet-cooldown',
  'svc/faucet-dry',
  'svc/reverted',
]
