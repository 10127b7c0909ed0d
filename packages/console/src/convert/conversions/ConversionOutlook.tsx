import { type Outlook, useAgio } from '@agio/react/internal'
import type { SuccessfulReceipt } from '@agio/sdk'
import { useNetworks } from '../../settings/network.ts'
import { Amount } from '../../amount/Amount.tsx'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './conversions.module.css'
import type { PageConversion } from './conversions.ts'
import { NewPrice } from './NewPrice.tsx'
import { NextActions, ReceiptLink } from './NextActions.tsx'
import { findWinner, type Winner } from './findWinner.ts'
import { names, ReplaceActions, ReplacementStatus } from './ReplaceActions.tsx'
import { useReplacements } from './replacements.ts'
import { Address } from '../../ui/Address.tsx'

/** Shows the outcome of a conversion or what it waits for, with the matching buttons. */
export function ConversionOutlook({ conversion, outlook, isRemoved }: ConversionOutlook.Props) {
  const { replacements } = useReplacements()
  const winner = findWinner(conversion, outlook, replacements)
  return (
    <>
      {winner && <WinnerNote winner={winner} chainId={conversion.quote.chainId} />}
      {isRemoved && (
        <Notice tone="warning" title="The chain has removed the block of this conversion">
          It may be mined again, at other amounts. Wait before you convert again: you could convert twice.
        </Notice>
      )}
      <Outcome conversion={conversion} outlook={outlook} />
    </>
  )
}

export declare namespace ConversionOutlook {
  type Props = Shown & {
    /** Whether the chain has removed the receipt. */
    readonly isRemoved: boolean
  }
}

type Shown = { readonly conversion: PageConversion; readonly outlook: Outlook }

function Outcome({ conversion, outlook }: Shown) {
  if (outlook.kind === 'running' || outlook.kind === 'following') {
    return <Running conversion={conversion} isFollowing={outlook.kind === 'following'} />
  }
  if (outlook.kind === 'elsewhere') {
    return <p className="note">This conversion is running in another tab. Its progress is shown here, too.</p>
  }
  if (outlook.kind === 'paused') return <Paused conversion={conversion} outlook={outlook} />
  if (outlook.kind === 'done') return <Done conversion={conversion} receipt={outlook.receipt} />
  if (outlook.next === 'requote') return <NewPrice conversion={conversion} error={outlook.error} />
  return <ErrorNotice error={outlook.error} actions={<NextActions conversion={conversion} next={outlook.next} />} />
}

function Running({ conversion, isFollowing }: { readonly conversion: PageConversion; readonly isFollowing: boolean }) {
  const { stop } = useAgio().conversions
  const { id, steps, isUnstored = false } = conversion
  const step = steps.at(-1)
  const isSent = step?.state.pending?.transactionHash !== undefined
  return (
    <>
      {isUnstored && <Unstored />}
      {isFollowing && !isSent && (
        <p className="note">
          Your wallet was prompted before this page was reloaded. If the prompt is open, answer it in the wallet. The
          page then finds the transaction on the chain. It sends no new prompt on its own.
        </p>
      )}
      {step && <ReplacementStatus step={step} />}
      <div className={styles['actions']}>
        {step && <ReplaceActions step={step} />}
        <Button size="small" onClick={() => stop(id)}>
          Stop
        </Button>
        {isSent && <p className="note">Transactions that were already sent cannot be stopped.</p>}
      </div>
    </>
  )
}

function Unstored() {
  return (
    <Notice tone="warning" title="The last step could not be stored">
      Keep this page open until the conversion has ended. After a reload, the page would have to search for it on the
      chain.
    </Notice>
  )
}

function Paused({ conversion, outlook: { isSettled, isSent } }: PausedProps) {
  const actions = <NextActions conversion={conversion} next="resume" />
  if (isSettled) {
    return (
      <Notice title="No transaction is pending" actions={actions}>
        Resume to continue in your wallet, or dismiss this conversion and get a new quote.
      </Notice>
    )
  }
  return (
    <Notice
      tone="warning"
      title={isSent ? 'A transaction was sent' : 'Your wallet may have sent a transaction'}
      actions={actions}
    >
      Resume to find it on the chain. Starting another conversion could convert twice.
    </Notice>
  )
}

type PausedProps = {
  readonly conversion: PageConversion
  readonly outlook: Extract<Outlook, { readonly kind: 'paused' }>
}

function Done({ conversion: { id, quote }, receipt }: DoneProps) {
  const { dismiss } = useAgio().conversions
  const { amountIn, amountOut, tokenIn, tokenOut, transactionHash } = receipt
  return (
    <>
      <dl className={styles['amounts']}>
        <div>
          <dt>Paid</dt>
          <dd>
            <Amount value={amountIn} symbol={tokenIn.symbol} />
          </dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd className={styles['received']}>
            <Amount value={amountOut} symbol={tokenOut.symbol} />
          </dd>
        </div>
      </dl>
      <div className={styles['actions']}>
        <ReceiptLink transactionHash={transactionHash} chainId={quote.chainId} />
        <Button variant="quiet" className={styles['end']} size="small" onClick={() => dismiss(id)}>
          Dismiss
        </Button>
      </div>
    </>
  )
}

type DoneProps = { readonly conversion: PageConversion; readonly receipt: SuccessfulReceipt }

/** Shows which transaction was mined and which was not. */
function WinnerNote({ winner, chainId }: { readonly winner: Winner; readonly chainId: number }) {
  const { findTransactionUrl } = useNetworks()
  const { transactionHash, loser } = winner
  return (
    <div className="note">
      <p>{toSentence(winner)}</p>
      <p className={styles['hashes']}>
        <span>
          Mined:{' '}
          <Address
            value={transactionHash}
            label="the hash of the mined transaction"
            href={findTransactionUrl(chainId, transactionHash)}
          />
        </span>
        {loser !== undefined && (
          <span>
            Not mined: <Address value={loser} label="the hash of the other transaction" />
          </span>
        )}
      </p>
    </div>
  )
}

function toSentence({ kind, loser, late = 'speed-up' }: Winner): string {
  if (kind !== 'original') return `${titles[kind]} was mined instead of the first transaction.`
  return loser === undefined
    ? `The transaction was already mined, so no ${names[late]} was sent.`
    : `The first transaction was mined before the ${names[late]}.`
}

const titles = { 'speed-up': 'The speed-up', cancel: 'The cancellation', other: 'Another transaction' } as const
