import { explainError, hasEnded, toFailure } from '@agio/react/internal'
import type { Agio, Step, Wallet } from '@agio/sdk'
import { createStore } from 'zustand'
import type { Explanation } from '@agio/sdk/messages'
import { defineStore } from '../../settings/console.ts'

/** The store of this tab's replacements, by the transaction hash that the conversion knows. */
export const useReplacements = defineStore(() =>
  createStore<Replacements>((set, get) => ({
    replacements: {},

    async replace(agio, { step, kind, wallet }) {
      const transactionHash = findPendingHash(step)
      if (transactionHash === undefined) return
      const previous = get().replacements[transactionHash]
      if (previous?.phase === 'asking') return
      const sent = previous?.sent ?? findSent(step)
      const put = (replacement: Replacement) =>
        set(({ replacements }) => {
          // The conversion may wait for any of them by now.
          const hashes = [transactionHash, sent?.transactionHash, replacement.sent?.transactionHash]
          const changed = hashes.flatMap((hash) => (hash ? [[hash, replacement] as const] : []))
          return { replacements: { ...replacements, ...Object.fromEntries(changed) } }
        })
      put({ kind, phase: 'asking', sent })
      try {
        // Nodes forget replaced transactions.
        const target = sent ? { chainId: step.state.chainId, transactionHash: sent.transactionHash } : step
        const hash = kind === 'cancel' ? await agio.cancel(target, { wallet }) : await agio.speedUp(target, { wallet })
        // A sped-up cancellation remains a cancellation.
        const sentKind = sent?.kind === 'cancel' ? 'cancel' : kind
        put({ kind, phase: 'sent', sent: { kind: sentKind, transactionHash: hash } })
      } catch (error) {
        put({ kind, phase: 'failed', sent, error })
      }
    },
  })),
)

type Replacements = {
  readonly replacements: Readonly<Record<string, Replacement>>
  /** Speeds up or cancels the pending transaction of a step, or its latest replacement from this tab. */
  replace(agio: Pick<Agio, 'cancel' | 'speedUp'>, replacing: Replacing): Promise<void>
}

type Replacing = {
  readonly step: Step
  readonly kind: ReplacementKind
  readonly wallet: Wallet
}

/** The way to replace a transaction: the same call with higher fees, or an empty transfer. */
export type ReplacementKind = 'speed-up' | 'cancel'

type SentReplacement = { readonly kind: ReplacementKind; readonly transactionHash: `0x${string}` }

/** The last replacement of a transaction. */
export type Replacement = {
  /** The last action of the user. */
  readonly kind: ReplacementKind
  readonly phase: 'asking' | 'sent' | 'failed'
  /** The newest replacement that was sent. */
  readonly sent?: SentReplacement | undefined
  /** The error of the last replacement, if it was not sent. */
  readonly error?: unknown
}

/** Returns the hash of the transaction that a step waits for, or undefined if it does not wait for one. */
export function findPendingHash(step: Step | undefined): `0x${string}` | undefined {
  return step === undefined || hasEnded(step) ? undefined : step.state.pending?.transactionHash
}

/** Returns the cancellation of the transaction that a step waits for, also after a reload. A speed-up is that transaction itself. */
export function findSent(step: Step): SentReplacement | undefined {
  const { cancelHash } = step.state.pending ?? {}
  return cancelHash === undefined ? undefined : { kind: 'cancel', transactionHash: cancelHash }
}

/** Explains why a pending transaction was not replaced. Some codes have another meaning here than for other calls. */
export function explainReplacing(error: unknown): Explanation {
  const failure = toFailure(error)
  return explanations[failure.code] ?? explainError(failure)
}

const explanations: Readonly<Record<string, Explanation>> = {
  'svc/transaction-not-found': {
    title: 'This transaction is no longer pending',
    next: 'It was replaced or confirmed.',
    tone: 'warning',
  },
  'svc/already-mined': {
    title: 'The transaction was already mined',
    next: 'Nothing was sent, because the transaction can no longer be replaced.',
    tone: 'neutral',
  },
  'convert/mismatch': {
    title: 'The service returned a different transaction',
    next: 'It does not match the pending transaction. Nothing was signed.',
    tone: 'danger',
  },
}
