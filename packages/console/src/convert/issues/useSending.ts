import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNetwork } from '../../settings/network.ts'
import type { BuiltTransaction } from '../../wallet/sendTransaction.ts'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'

/** Returns the label of a button that sends: its progress, or what it does. */
export function toLabel({ phase }: Sending, label: string): string {
  return phase === undefined ? label : labels[phase]
}

const labels: Readonly<Record<SendingPhase, string>> = {
  building: 'Preparing…',
  asking: 'Confirm in the wallet…',
  mining: 'Waiting for the transaction…',
}

/**
 * Sends single transactions with the wallet, one after the other.
 *
 * @param options.build builds the transactions. Called when the user sends
 *
 * @param options.onMined called once all transactions are mined
 */
export function useSending({ wallet, build, onMined }: useSending.Options): Sending {
  const [phase, setPhase] = useState<SendingPhase>('building')
  const chainId = useNetwork(({ network }) => network.chainId)
  const { mutate, isPending, error, submittedAt } = useMutation({
    // Another account or network starts without progress and error.
    mutationKey: ['send', chainId, wallet?.address],
    mutationFn: async () => {
      if (!wallet) return
      setPhase('building')
      // Loaded on demand, because few visits send anything except conversions.
      const { sendTransaction } = await import('../../wallet/sendTransaction.ts')
      for (const transaction of await build(wallet.address)) {
        setPhase('asking')
        await sendTransaction(wallet, transaction, () => setPhase('mining'))
      }
    },
    onSuccess: onMined,
  })
  return {
    phase: isPending ? phase : undefined,
    failed: error ? { error, at: submittedAt } : undefined,
    send: () => {
      if (!isPending) mutate()
    },
  }
}

export declare namespace useSending {
  type Options = {
    readonly wallet: ConnectedWallet | undefined
    readonly build: (owner: `0x${string}`) => Promise<readonly BuiltTransaction[]>
    readonly onMined: () => Promise<void>
  }
}

/** The phase: the service builds, the wallet prompts, or the transaction is pending. */
type SendingPhase = 'building' | 'asking' | 'mining'

/** The state of the transactions, and the actions of the user. */
export type Sending = {
  /** Undefined while nothing is sent. */
  readonly phase: SendingPhase | undefined
  readonly failed: { readonly error: unknown; readonly at: number } | undefined
  send(): void
}
