import type { Chain } from '@agio/chain'
import type { ChainId } from '@agio/core'
import type { Store } from '@agio/store'

/** The context of every procedure, and its only access to what is outside of the process. */
export type Context = {
  readonly chains: Readonly<Partial<Record<ChainId, Chain>>>
  readonly store: Pick<Store, 'keys' | 'usage'>
  /** Whether the request carried the admin key. */
  readonly isAdmin: boolean
  readonly requestId: string
  /** The wall clock, in milliseconds. */
  readonly now: () => number
}
