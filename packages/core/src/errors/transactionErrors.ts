import { ServiceError, type Cause } from './ServiceError.ts'

/** Returns the error for a signed transaction that cannot be broadcast. */
export function invalidTransaction({ reason, cause }: { readonly reason: string } & Cause) {
  const message = `Cannot broadcast the transaction: ${reason}`
  return new ServiceError('svc/invalid-transaction', message, { field: 'signedTransaction', cause })
}

/** Returns the error for a transaction that is signed for a chain other than the chain of the request. */
export function wrongChain({ chainId, signedChainId }: { readonly chainId: number; readonly signedChainId: number }) {
  const message = `Cannot broadcast to chain ${chainId}: the transaction is signed for chain ${signedChainId}`
  return new ServiceError('svc/wrong-chain', message, { field: 'chainId', value: chainId })
}

/** Returns the error for a nonce that another transaction has used. */
export function nonceTooLow({ cause }: Cause = {}) {
  return new ServiceError('svc/nonce-too-low', 'Cannot broadcast the transaction: its nonce is already used', { cause })
}

/** Returns the error for a gas price that the node does not accept. */
export function underpriced({ cause }: Cause = {}) {
  return new ServiceError('svc/underpriced', 'Cannot broadcast the transaction: its gas price is too low', { cause })
}

/** Returns the error for a transaction that cannot be replaced because a block contains it. */
export function alreadyMined({ hash, blockNumber }: { readonly hash: string; readonly blockNumber: bigint }) {
  const message = `Cannot replace transaction ${hash}: block ${blockNumber} contains it`
  return new ServiceError('svc/already-mined', message, {})
}

/**
 * Returns the error for a transaction that no node knows.
 *
 * @param options `verb` is the action that failed, `find` by default
 */
export function transactionNotFound({
  hash,
  verb = 'find',
  reason = 'no node knows it',
}: {
  readonly hash: string
  readonly verb?: string
  readonly reason?: string
}) {
  return new ServiceError('svc/transaction-not-found', `Cannot ${verb} transaction ${hash}: ${reason}`, {})
}

/** Returns the error for a transaction without a conversion. */
export function notAConversion({ hash }: { readonly hash: string }) {
  const message = `Cannot explain transaction ${hash}: it does not convert through a router or a pool of the deployment`
  return new ServiceError('svc/not-a-conversion', message, {})
}
