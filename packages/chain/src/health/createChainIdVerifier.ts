import { Errors, type Network, type ServiceError } from '@agio/core'
import type { NodeLink } from '../transport/NodeLink.ts'
import { requestValidated } from '../transport/requestValidated.ts'

// A node can begin to serve another chain behind the same URL.
const validForMs = 3000

/**
 * Verifies that the node at the end of a link serves our chain. Each link is verified once before it is used, and again
 * while it is in use.
 */
export function createChainIdVerifier({ chainId, onWrongChain }: createChainIdVerifier.Settings): ChainIdVerifier {
  let known: { readonly link: NodeLink; readonly verified: Promise<void> } | undefined
  let verifiedAtMs = -Infinity
  // Verifications are numbered in the order in which they begin.
  let [begun, concluded] = [0, 0]

  function confirm(link: NodeLink, servedChainId: number): void {
    if (servedChainId !== chainId) reject(link, servedChainId)
    verifiedAtMs = performance.now()
    if (known?.link !== link) known = { link, verified: Promise.resolve() }
  }
  function reject(link: NodeLink, servedChainId: number): never {
    const failure = toWrongChainError(chainId, servedChainId)
    known = undefined
    link.closeWhenIdle?.()
    onWrongChain({ failure, servedChainId })
    throw failure
  }
  async function recheck(link: NodeLink): Promise<void> {
    const own = ++begun
    const servedChainId = Number(await requestValidated(link, { method: 'eth_chainId' }))
    // A later verification has already ended.
    if (own < concluded && servedChainId !== chainId) throw toWrongChainError(chainId, servedChainId)
    if (own < concluded) return
    concluded = own
    confirm(link, servedChainId)
  }
  function begin(link: NodeLink): Promise<void> {
    const verified = recheck(link)
    known = { link, verified }
    // A failed verification is not kept. The next request verifies again.
    verified.catch(() => (known = known?.verified === verified ? undefined : known))
    return verified
  }
  return {
    verify: (link) => (known?.link === link ? known.verified : begin(link)),
    recheck,
    confirm,
    isDue: (link) => known?.link === link && performance.now() - verifiedAtMs > validForMs,
    reset() {
      known = undefined
      concluded = ++begun
    },
  }
}

export declare namespace createChainIdVerifier {
  type Settings = {
    readonly chainId: Network.ChainId
    /** Called when a node serves another chain, unless a later verification has already ended. */
    readonly onWrongChain: (wrong: { readonly failure: ServiceError; readonly servedChainId: number }) => void
  }
}

export type ChainIdVerifier = {
  /**
   * Resolves if the link serves our chain. Sends a request only if that is unknown.
   *
   * @throws `svc/upstream-error` for another chain, or the errors of the link
   */
  verify(link: NodeLink): Promise<void>
  /** Like `verify`, but always sends a request, and no other request waits for it. @throws the errors of `verify` */
  recheck(link: NodeLink): Promise<void>
  /** Takes the chain id that a result over the link proves. @throws `svc/upstream-error` if it is not our chain id */
  confirm(link: NodeLink, servedChainId: number): void
  /** Returns whether the link was verified before, more than three seconds ago. */
  isDue(link: NodeLink): boolean
  /** Makes the next `verify` send a request. */
  reset(): void
}

function toWrongChainError(chainId: Network.ChainId, servedChainId: number): ServiceError {
  const reason = `its node serves chain ${servedChainId}, not chain ${chainId}`
  return Errors.upstreamError({ action: 'read the chain', reason })
}
