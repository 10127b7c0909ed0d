import { ServiceError, type ChainId } from '@agio/core'
import type { NodeLink } from '../transport/NodeLink.ts'
import { requestValidated } from '../transport/requestValidated.ts'

/** Verifies once for each link that the node at its end serves our chain. */
export function createChainIdVerifier({ chainId, onWrongChain }: createChainIdVerifier.Settings): ChainIdVerifier {
  let known: { readonly link: NodeLink; readonly verified: Promise<void> } | undefined

  function reverify(link: NodeLink): Promise<void> {
    const isLatest = () => known?.verified === verified
    async function check(): Promise<void> {
      const servedChainId = Number(await requestValidated(link, { method: 'eth_chainId' }))
      if (servedChainId === chainId) return
      const failure = toWrongChainError(chainId, servedChainId)
      link.closeWhenIdle?.()
      if (isLatest()) onWrongChain({ failure, servedChainId })
      throw failure
    }
    const verified = check()
    known = { link, verified }
    // A failed verification is not kept: the next request verifies again.
    verified.catch(() => (known = isLatest() ? undefined : known))
    return verified
  }
  return {
    verify: (link) => (known?.link === link ? known.verified : reverify(link)),
    reverify,
    reset: () => (known = undefined),
  }
}

export declare namespace createChainIdVerifier {
  type Settings = {
    readonly chainId: ChainId
    /** Called when a node serves another chain, unless a later verification has begun. */
    readonly onWrongChain: (wrong: { readonly failure: ServiceError; readonly servedChainId: number }) => void
  }
}

export type ChainIdVerifier = {
  /** Resolves if the link serves our chain; sends a request only if that is unknown. @throws `svc/upstream-error` if not, or what the link throws */
  verify(link: NodeLink): Promise<void>
  /** `verify`, but always sends a request. @throws what `verify` throws */
  reverify(link: NodeLink): Promise<void>
  /** Makes the next `verify` send a request. */
  reset(): void
}

function toWrongChainError(chainId: ChainId, servedChainId: number): ServiceError {
  const message = `Cannot read the chain: its node serves chain ${servedChainId}, not chain ${chainId}`
  return new ServiceError('svc/upstream-error', message, {})
}
