import type { Chain } from '@agio/chain'
import type { ChainId } from '@agio/core'
import type { Store } from '@agio/store'

/** What every procedure is called with. Values that reach outside of the process arrive here, and only here. */
export type Context = {
  readonly chains: Readonly<Partial<Record<ChainId, Chain>>>
  readonly store: Pick<Store, 'keys' | 'usage'>
  /** Whether the caller has shown the admin key. */
  readonly isAdmin: boolean
  readonly requestId: string
  /** The wall clock, in milliseconds. */
  readonly now: () => number
}
