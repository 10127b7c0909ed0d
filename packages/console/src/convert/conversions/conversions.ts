import { Conversions, createLocalStepStore, createRunAlone, type ConversionsState } from '@agio/react/internal'
import { create } from 'zustand'
import { agio } from '../../service/agio.ts'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'

export type { PageConversion } from '@agio/react/internal'

const conversions = new Conversions({ agio, store: createLocalStepStore(), runAlone: createRunAlone() })
const { start, resume, stop, dismiss } = conversions
let hasFollowed = false

/** The store of this browser's conversions, as a hook. */
export const useConversions = create<ConversionsState & Actions>(() => ({
  ...conversions.getState(),
  start,
  resume,
  stop,
  dismiss,
  followStored(wallet) {
    if (!hasFollowed) conversions.follow(wallet)
    hasFollowed = true
  },
}))
conversions.subscribe(() => useConversions.setState(conversions.getState()))

type Actions = Pick<Conversions, 'start' | 'resume' | 'stop' | 'dismiss'> & {
  /**
   * Follows the stored conversions that may have sent a transaction, without prompting the wallet. Called once, when
   * the page is loaded and its wallet, if any, is connected again. Selecting another account later starts nothing.
   */
  followStored(wallet: Pick<ConnectedWallet, 'getProvider'> | undefined): void
}
