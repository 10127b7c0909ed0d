import { toNewRequest, useAgio, useQuote } from '@agio/react/internal'
import type { AgioQuoteData } from '@agio/sdk'
import { useState } from 'react'
import { Amount } from '../../amount/Amount.tsx'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { useServiceNow } from '../../service/useServiceNow.ts'
import { formatDuration } from '../../time/formatDuration.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import { useWallet } from '../../wallet/useWallet.ts'
import styles from './conversions.module.css'
import { type PageConversion, useShownConversion } from './conversions.ts'
import { useConvertSettings } from '../quote/useConvertSettings.ts'
import { DismissButton, ReceiptLink } from './NextActions.tsx'
import { classes } from '../../ui/classes.ts'
import { useConsole } from '../../settings/console.ts'

/** Explains why a quote is no longer valid, and offers a new quote. */
export function NewPrice({ conversion, error }: NewPrice.Props) {
  const { id, quote, steps, hasRun = false } = conversion
  const step = steps.at(-1)
  const { transactionHash = '' } = step ?? {}
  const isReverted = step?.kind === 'confirm' && step.status === 'failed' && step.receipt !== undefined
  const { start, dismiss } = useAgio().conversions
  const wallet = useWallet()
  const console = useConsole()
  // After a reload, no request is sent before the user wants the new price.
  const [isWanted, setIsWanted] = useState(hasRun)
  const { chainId, ...terms } = toNewRequest(quote)
  const renewed = useQuote({ chainId, ...(isWanted ? terms : noTokens) }, { isPaused: true })
  const convert = (data: AgioQuoteData) => {
    if (!wallet) return
    const { approval } = useConvertSettings.of(console).getState()
    useShownConversion
      .of(console)
      .getState()
      .show(start({ quote: data, wallet, approval }))
    dismiss(id)
  }
  return (
    <>
      <ErrorNotice error={error} />
      {isReverted && (
        <p className="note">
          The transaction reverted. Nothing was converted, but gas was paid.{' '}
          <ReceiptLink transactionHash={transactionHash} chainId={quote.chainId} />
        </p>
      )}
      {isWanted && (
        <dl className={styles['amounts']}>
          <div>
            <dt>{quote.mode === 'exact-out' ? 'Your maximum was' : 'Your minimum was'}</dt>
            <dd>
              <Limit quote={quote} />
            </dd>
          </div>
          {renewed.status !== 'failed' && (
            <div>
              <dt>Current price</dt>
              <dd className={styles['received']}>
                {renewed.quote ? <Offer quote={renewed.quote} /> : <Skeleton label="Loading the new price" />}
              </dd>
            </div>
          )}
        </dl>
      )}
      {renewed.status === 'failed' && <ErrorNotice {...renewed} />}
      <div className={styles['actions']}>
        {/* The buttons keep their positions, so that a double click cannot accept an unseen price. */}
        <Button
          variant="primary"
          size="small"
          disabled={!wallet || !renewed.quote}
          onClick={() => renewed.quote && convert(renewed.quote)}
        >
          Convert at new price
        </Button>
        {!renewed.quote && (
          <Button
            size="small"
            isBusy={renewed.isFetching}
            onClick={() => {
              setIsWanted(true)
              if (isWanted) void renewed.renew()
            }}
          >
            {renewed.status === 'failed' ? 'Try again' : 'Show new price'}
          </Button>
        )}
        <DismissButton conversion={conversion} />
      </div>
    </>
  )
}

const noTokens = { tokenIn: undefined, tokenOut: undefined } as const

export declare namespace NewPrice {
  type Props = { readonly conversion: PageConversion; readonly error: unknown }
}

function Limit({ quote }: { readonly quote: AgioQuoteData }) {
  const { tokenIn, tokenOut } = quote
  return quote.mode === 'exact-out' ? (
    <Amount value={quote.maxAmountIn} symbol={tokenIn.symbol} />
  ) : (
    <Amount value={quote.minAmountOut} symbol={tokenOut.symbol} />
  )
}

function Offer({ quote }: { readonly quote: AgioQuoteData }) {
  const { mode, amountIn, amountOut, tokenIn, tokenOut, expiresAt } = quote
  const seconds = Math.ceil((Date.parse(expiresAt) - useServiceNow()) / 1000)
  return (
    <>
      {mode === 'exact-out' ? (
        <Amount value={amountIn} symbol={tokenIn.symbol} />
      ) : (
        <Amount value={amountOut} symbol={tokenOut.symbol} />
      )}
      <p className={classes('note', styles['limit'])}>
        {mode === 'exact-out' ? 'At most ' : 'At least '}
        <Limit quote={quote} />
        {seconds > 0 ? `, valid for ${formatDuration(seconds)}` : ', renewed when you convert'}
      </p>
    </>
  )
}
