import { isAccountOf, type NextAction, useAgio } from '@agio/react/internal'
import { isSettled } from '@agio/sdk'
import { useState } from 'react'
import { Link } from 'wouter'
import { Address } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { useWallet } from '../../wallet/useWallet.ts'
import { WalletButton } from '../../wallet/WalletButton.tsx'
import styles from './conversions.module.css'
import type { PageConversion } from './conversions.ts'

/**
 * Shows the buttons of a conversion that is not running: one resumes it with the account that started it, one dismisses
 * it.
 */
export function NextActions({ conversion, next }: NextActions.Props) {
  const { id, steps } = conversion
  const { resume } = useAgio().conversions
  const wallet = useWallet()
  const step = steps.at(-1)
  const isOwn = wallet !== undefined && step !== undefined && isAccountOf(step, wallet.address)
  const hasNext = next === 'resume' || next === 'retry'
  return (
    <>
      {hasNext && !wallet && <WalletButton />}
      {hasNext && wallet && (
        <Button variant="primary" size="small" disabled={!isOwn} onClick={() => resume(id, wallet)}>
          {next === 'resume' ? 'Resume' : 'Try again'}
        </Button>
      )}
      <DismissButton conversion={conversion} />
      {hasNext && !isOwn && step && (
        <p className={styles['hint']}>
          Select the account of this conversion in your wallet:{' '}
          <Address value={step.state.account} label="the account of the conversion" />
        </p>
      )}
    </>
  )
}

export declare namespace NextActions {
  type Props = { readonly conversion: PageConversion; readonly next: NextAction }
}

/** Dismisses a conversion. If it may have sent a transaction, the user must confirm. */
export function DismissButton({ conversion }: { readonly conversion: PageConversion }) {
  const [isAsking, setIsAsking] = useState(false)
  const { dismiss } = useAgio().conversions
  const step = conversion.steps.at(-1)
  const isSafe = !step || isSettled(step)
  return (
    <>
      <Button
        variant="quiet"
        className={styles['end']}
        size="small"
        onClick={() => (isSafe ? dismiss(conversion.id) : setIsAsking(true))}
      >
        Dismiss
      </Button>
      {isAsking && (
        <Dialog
          title="Dismiss this conversion?"
          description="This conversion may have sent a transaction. If you dismiss it, the page no longer looks for that transaction, and converting again could convert twice."
          onClose={() => setIsAsking(false)}
        >
          <DialogActions>
            <Button data-autofocus onClick={() => setIsAsking(false)}>
              Keep it
            </Button>
            <Button variant="danger" onClick={() => dismiss(conversion.id)}>
              Dismiss it
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

/** A link to the receipt of a transaction. */
export function ReceiptLink({ transactionHash, chainId }: ReceiptLink.Props) {
  return <Link href={`/receipt/${transactionHash}?chain=${chainId}`}>Receipt</Link>
}

export declare namespace ReceiptLink {
  type Props = { readonly transactionHash: string; readonly chainId: number }
}
