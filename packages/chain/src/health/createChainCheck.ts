import { ServiceError, type ChainId } from '@agio/core'
import { assertResult } from '../transport/assertResult.ts'
import type { Link } from '../transport/Link.ts'

/** Makes sure, once a link, that what is at its end serves our chain. */
export function createChainCheck({ chainId, onWrong }: createChainCheck.Settings): ChainCheck {
  let known: { readonly link: Link; readonly confirmed: Promise<void> } | undefined

  async function readChainId(link: Link): Promise<number> {
    const answer = await link.ask({ method: 'eth_chainId' })
    assertResult('eth_chainId', answer)
    return Number(answer)
  }
  function recheck(link: Link): Promise<void> {
    const isNewest = () => known?.confirmed === confirmed
    async function check(): Promise<void> {
      const served = await readChainId(link)
      if (served === chainId) return
      const failure = wrongChain(chainId, served)
      link.retire?.()
      if (isNewest()) onWrong({ failure, servedChainId: served })
      throw failure
    }
    const confirmed = check()
    known = { link, confirmed }
    // A check that failed says nothing of the next one.
    confirmed.catch(() => (known = isNewest() ? undefined : known))
    return confirmed
  }
  return {
    confirm: (link) => (known?.link === link ? known.confirmed : recheck(link)),
    recheck,
    forget: () => (known = undefined),
  }
}

export declare namespace createChainCheck {
  type Settings = {
    readonly chainId: ChainId
    /** Hears of another chain, unless it was asked for anew meanwhile. */
    readonly onWrong: (wrong: { readonly failure: ServiceError; readonly servedChainId: number }) => void
  }
}

export type ChainCheck = {
  /** Resolves if the link serves our chain; asks only if that is not known. @throws `svc/upstream-error` if not, or what the link throws */
  confirm(link: Link): Promise<void>
  /** Asks whatever is known. @throws what `confirm` throws */
  recheck(link: Link): Promise<void>
  /** Lets the next one ask again. */
  forget(): void
}

function wrongChain(chainId: ChainId, served: number): ServiceError {
  const message = `Cannot read the chain: its node serves chain ${served}, not chain ${chainId}`
  return new ServiceError('svc/upstream-error', message, {})
}
