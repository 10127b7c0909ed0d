import type { SentRequest } from './ConversionState.ts'

/** A transaction with the nonce of a pending transaction: the same call with higher fees, or an empty transfer. */
export type Replacement = {
  readonly kind: 'speed-up' | 'cancel'
  readonly transactionHash: `0x${string}`
  /** Hash of the replaced transaction. */
  readonly replaced: `0x${string}`
}

/**
 * Returns a sent request with a replacement. A speed-up is the new transaction to wait for. A cancellation converts
 * nothing, so the request still waits for its transaction and has both hashes.
 *
 * @returns undefined if the replaced transaction is not of the request
 */
export function applyReplacement(
  sent: SentRequest,
  { kind, transactionHash, replaced }: Replacement,
): SentRequest | undefined {
  const { cursor: _, cancelHash, ...rest } = sent
  if (replaced !== sent.transactionHash && replaced !== cancelHash) return undefined
  // A sped-up cancellation remains a cancellation.
  if (kind === 'cancel' || replaced === cancelHash) return { ...sent, cancelHash: transactionHash }
  return { ...rest, transactionHash }
}

/** Creates the notifier of the replacements that a client has sent. */
export function createReplacements(): Replacements {
  const listeners = new Set<Listener>()
  return {
    async announce(replacement) {
      await Promise.allSettled([...listeners].map((listener) => listener(replacement)))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Tells the running conversions of a client which replacements it has sent. */
export type Replacements = {
  /** Resolves once the conversions have published the replacement. */
  readonly announce: Listener
  /** Calls a function with each later replacement. Returns a function that ends it. */
  subscribe(listener: Listener): () => void
}

type Listener = (replacement: Replacement) => Promise<void>
