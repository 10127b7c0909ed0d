import { Errors, type Network, type ServiceError } from '@agio/core'
import type { NodeLink } from '../transport/NodeLink.ts'
import { requestValidated } from '../transport/requestValidated.ts'

// A node can begin to serve another chain behind the same URL.
const validForMs = { inUse: 3000, idle: 30_000 } as const

/**
 * Verifies that the node at the end of a link serves our chain. Each link is verified once before it is used, and again
 * while it is in use.
 */
export function createChainIdVerifier({ chainId, isInUse, onWrongChain }: createChainIdVerifier.Dependencies) {
  let current: { readonly link: NodeLink; readonly verified: Promise<void> } | undefined
  let verifiedAtMs = -Infinity
  // Verifications are numbered in the order in which they begin.
  let [begun, concluded] = [0, 0]

  function confirm(link: NodeLink, servedChainId: number): void {
    if (servedChainId !== chainId) reject(link, servedChainId)
    verifiedAtMs = performance.now()
    if (current?.link !== link) current = { link, verified: Promise.resolve() }
  }
  function reject(link: NodeLink, servedChainId: number): never {
    const failure = toWrongChainError(chainId, servedChainId)
    current = undefined
    link.closeWhenIdle?.()
    onWrongChain({ failure, servedChainId })
    throw failure
  }
  async function recheck(link: NodeLink): Promise<void> {
    const position = ++begun
    const servedChainId = Number(await requestValidated(link, { method: 'eth_chainId' }))
    // A later verification has already ended.
    if (position < concluded && servedChainId !== chainId) throw toWrongChainError(chainId, servedChainId)
    if (position < concluded) return
    concluded = position
    confirm(link, servedChainId)
  }
  function begin(link: NodeLink): Promise<void> {
    const verified = recheck(link)
    current = { link, verified }
    // A failed verification is not kept. The next request verifies again.
    verified.catch(() => (current = current?.verified === verified ? undefined : current))
    return verified
  }
  return {
    /**
     * Resolves if the link serves our chain. Sends a request only if the chain of the link is unknown.
     *
     * @throws `svc/upstream-error` for another chain, or the errors of the link
     */
    verify: (link: NodeLink) => (current?.link === link ? current.verified : begin(link)),
    /** Verifies the link by a new request, for which no other request waits. @throws the errors of `verify` */
    recheck,
    /** Takes the chain id that a result over the link proves. @throws `svc/upstream-error` if it is not our chain id */
    confirm,
    /** Returns whether the link was verified before, more than three seconds ago, or half a minute on an idle chain. */
    isDue(link: NodeLink): boolean {
      const ageMs = performance.now() - verifiedAtMs
      return current?.link === link && ageMs > (isInUse() ? validForMs.inUse : validForMs.idle)
    },
    /** Makes the next `verify` send a request. */
    reset(): void {
      current = undefined
      concluded = ++begun
    },
  }
}

export declare namespace createChainIdVerifier {
  type Dependencies = {
    readonly chainId: Network.ChainId
    /** Returns whether the chain is in use. A chain that is not is verified less often. */
    readonly isInUse: () => boolean
    /** Called when a node serves another chain, unless a later verification has already ended. */
    readonly onWrongChain: (wrong: { readonly failure: ServiceError; readonly servedChainId: number }) => void
  }
}

/** Verifies that the links of a node serve our chain. */
export type ChainIdVerifier = ReturnType<typeof createChainIdVerifier>

function toWrongChainError(chainId: Network.ChainId, servedChainId: number): ServiceError {
  const reason = `its node serves chain ${servedChainId}, not chain ${chainId}`
  return Errors.upstreamError({ action: 'read the chain', reason })
}
