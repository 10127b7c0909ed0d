import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import type { BuiltTransaction } from '../../wallet/sendTransaction.ts'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'

/** A button that sends a transaction to fix an issue, and shows its progress. */
export function SendButton({ sending, children, ...props }: SendButton.Props) {
  const { phase, send } = sending
  return (
    <Button {...props} isBusy={phase !== undefined} onClick={send}>
      {phase === undefined ? children : labels[phase]}
    </Button>
  )
}

export declare namespace SendButton {
  type Props = {
    readonly sending: Sending
    readonly variant: 'primary' | 'quiet'
    readonly size?: 'small' | 'large'
    readonly disabled?: boolean
    readonly 'aria-describedby'?: string
    readonly children: string
  }
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
  const { mutate, isPending, error, submittedAt, reset } = useMutation({
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

/** The phase: the service builds, the wallet prompts, or the transaction is pending. */
type SendingPhase = 'building' | 'asking' | 'mining'

/** The state of the transactions, and the actions of the user. */
export type Sending = {
  /** Undefined while nothing is sent. */
  readonly phase: SendingPhase | undefined
  readonly failed: { readonly error: unknown; readonly at: number } | undefined
  send(): void
  /** Clears the error. */
  dismiss(): void
}
