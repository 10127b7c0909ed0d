import type { ErrorCode } from '@agio/core'

/**
 * What a node can refuse a signed transaction for: itself, or what it reverts with where the node runs it first. It may call
 * any contract, so that any revert that has a code is among them.
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
  'svc/below-min-target',
  'svc/amount-too-small',
  'svc/pool-frozen',
  'svc/no-route',
  'svc/deadline-passed',
  'svc/faucet-cooldown',
  'svc/faucet-dry',
  'svc/reverted',
]
