import type { Step } from '@agio/sdk'
import { create } from 'zustand'
import { agio } from '../../service/agio.ts'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'
import { hasEnded } from './stepRules.ts'

/** What this tab has done about pending transactions, by the hash that the conversion has of each. */
export const useReplacements = create<Replacements>((set, get) => ({
  replacements: {},

  async replace({ step, kind, wallet }) {
    const transactionHash = findPendingHash(step)
    if (transactionHash === undefined) return
    const before = get().replacements[transactionHash]
    if (before?.phase === 'asking') return
    const put = (replacement: Replacement) =>
      set(({ replacements }) => ({ replacements: { ...replacements, [transactionHash]: replacement } }))
    const sent = before?.sent
    put({ kind, phase: 'asking', sent })
    try {
      // Nodes forget what was replaced.
      const target = sent ? { chainId: step.state.chainId, transactionHash: sent.transactionHash } : step
      const options = { wallet: await wallet.getProvider() }
      const hash = kind === 'cancel' ? await agio.cancel(target, options) : await agio.speedUp(target, options)
      // A cancellation that is sped up is still one.
      put({ kind, phase: 'sent', sent: { kind: sent?.kind === 'cancel' ? 'cancel' : kind, transactionHash: hash } })
    } catch (error) {
      put({ kind, phase: 'failed', sent, error })
    }
  },
}))

type Replacements = {
  readonly replacements: Readonly<Record<string, Replacement>>
  /** Lets the wallet speed up or cancel the pending transaction of a step, or what this tab has replaced it by. */
  replace(replacing: Replacing): Promise<void>
}

type Replacing = {
  readonly step: Step
  readonly kind: ReplacementKind
  readonly wallet: Pick<ConnectedWallet, 'getProvider'>
}

export type ReplacementKind = 'speed-up' | 'cancel'

export type Replacement = {
  /** What the user wanted last. */
  readonly kind: ReplacementKind
  readonly phase: 'asking' | 'sent' | 'failed'
  /** The newest one that was sent. */
  readonly sent?: { readonly kind: ReplacementKind; readonly transactionHash: `0x${string}` } | undefined
  /** Why the last one was not sent. */
  readonly error?: unknown
}

/** Returns the hash of the transaction that a step waits for; undefined if it waits for none. */
export function findPendingHash(step: Step | undefined): `0x${string}` | undefined {
  return step === undefined || hasEnded(step) ? undefined : step.state.pending?.transactionHash
}
