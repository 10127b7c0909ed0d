import { Button } from '../../ui/Button.tsx'
import type { Sending, SendingPhase } from './useSending.ts'

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
    readonly size?: 'small'
    readonly disabled?: boolean
    readonly children: string
  }
}

const labels: Readonly<Record<SendingPhase, string>> = {
  building: 'Preparing…',
  asking: 'Confirm in the wallet…',
  mining: 'Waiting for the transaction…',
}
