import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { BuiltTransaction } from '../../wallet/sendTransaction.ts'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'

/**
 * Sends transactions by the wallet, one after the other, beside conversions.
 *
 * @param options.build builds them; it is called when the user wants them
 * @param options.onMined is called once all are mined
 */
export function useSending({ wallet, build, onMined }: useSending.Options): Sending {
  const [phase, setPhase] = useState<SendingPhase>('building')
  const { mutate, isPending, error, submittedAt, reset } = useMutation({
    mutationFn: async () => {
      if (!wallet) return
      setPhase('building')
      // Few visits send anything but conversions.
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
    dismiss: reset,
  }
}

export declare namespace useSending {
  type Options = {
    readonly wallet: ConnectedWallet | undefined
    readonly build: (owner: `0x${string}`) => Promise<readonly BuiltTransaction[]>
    readonly onMined: () => Promise<void>
  }
}

/** What is going on: the service builds, the wallet asks its user, or the transaction is on its way. */
export type SendingPhase = 'building' | 'asking' | 'mining'

export type Sending = {
  /** Undefined if nothing is going on. */
  readonly phase: SendingPhase | undefined
  readonly failed: { readonly error: unknown; readonly at: number } | undefined
  send(): void
  /** Forgets the error. */
  dismiss(): void
}
