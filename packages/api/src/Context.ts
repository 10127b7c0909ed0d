import type { Chain } from '@agio/chain'
import type { ChainId } from '@agio/core'

/** What every procedure is called with. Values that reach outside of the process arrive here, and only here. */
export type Context = {
  readonly chains: Readonly<Record<ChainId, Chain>>
  readonly requestId: string
  /** The wall clock, in milliseconds. */
  readonly now: () => number
}
